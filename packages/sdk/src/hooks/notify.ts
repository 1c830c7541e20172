import type { Events, Listeners, RequestEvent, ResponseEvent, RetryEvent } from "./hooks.ts";
import { createLog, type Logger, type LogLevel } from "./log.ts";

/** Passes an event to the log and the caller's hook. Describes it only if somebody listens. Never throws. */
export type Notify = <Name extends keyof Events>(name: Name, describe: () => Events[Name]) => void;

/**
 * What a client tells about its calls. The hooks are called for each attempt of each call, in order. They are not awaited. If
 * one throws or rejects, the call continues, and the error is logged: by `console.error` without a `logger`.
 */
export interface WatchOptions {
  /** Called before each attempt is sent. */
  readonly onRequest?: ((event: RequestEvent) => unknown) | undefined;
  /** Called for each complete response, also of an attempt that will be repeated. */
  readonly onResponse?: ((event: ResponseEvent) => unknown) | undefined;
  /** Called before each wait for a retry. */
  readonly onRetry?: ((event: RetryEvent) => unknown) | undefined;
  /**
   * Where to log, such as `console` or a logger of pino or winston. The log contains what the events contain, and nothing else.
   * @default console
   */
  readonly logger?: Logger | undefined;
  /**
   * How much to log: "off", "error" (hooks that fail), "warn" (retries, too), "info" (the end of each call, too) or "debug"
   * (each attempt, too).
   * @default "warn" if you pass a `logger`, and otherwise "error"
   */
  readonly logLevel?: LogLevel | undefined;
}

/** Creates the function that the events of all calls of a client pass through. */
export function createNotify(options: WatchOptions): Notify {
  const { logger = console, logLevel = options.logger ? "warn" : "error" } = options;
  const allListeners: Listeners[] = [createLog(logger, logLevel), options];
  return (name, describe) => {
    // Called on its own, so that a hook does not get the options, which contain the key, as `this`.
    for (const { [name]: listener } of allListeners) {
      if (listener === undefined) continue;
      // Async, so that what a listener throws is a rejection too. A logger that throws has nowhere to report it.
      (async () => listener(describe()))()
        .catch((error: unknown) => logLevel !== "off" && logger.error(`${name} failed: ${error}`, error))
        .catch(() => {});
    }
  };
}
