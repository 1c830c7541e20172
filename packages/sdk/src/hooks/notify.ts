import type { CallContext } from "../errors/add-call.ts";
import type { SitewardError } from "../errors/siteward-error.ts";
import type { Hooks, RequestEvent, ResponseEvent, RetryEvent } from "./hooks.ts";
import { createLog, type Logger, type LogLevel } from "./log.ts";

/** A call has ended, with a status or an error. Only the log needs to know: the caller gets the result. */
interface EndEvent extends RequestEvent, CallContext {
  readonly status?: number;
  readonly error?: SitewardError;
}

/** What happens during a call. */
export interface Events {
  readonly onRequest: RequestEvent;
  readonly onResponse: ResponseEvent;
  readonly onRetry: RetryEvent;
  readonly onEnd: EndEvent;
}

/** A function for each event. */
export type Listeners = { readonly [Name in keyof Events]?: ((event: Events[Name]) => unknown) | undefined };

/** Passes an event to the log and the caller's hook. Describes it only if somebody listens. Never throws. */
export type Notify = <Name extends keyof Events>(name: Name, describe: () => Events[Name]) => void;

/** What decides who is notified. */
export interface NotifyOptions extends Hooks {
  readonly logger?: Logger | undefined;
  readonly logLevel?: LogLevel | undefined;
}

/** Creates the function that the events of all calls of a client pass through. */
export function createNotify(options: NotifyOptions): Notify {
  const { logger = console, logLevel = options.logger ? "warn" : "off" } = options;
  const allListeners: Listeners[] = [createLog(logger, logLevel), options];
  return (name, describe) => {
    // Called on its own, so that a hook does not get the options, which contain the key, as `this`.
    for (const { [name]: listener } of allListeners) {
      if (listener === undefined) continue;
      // Async, so that what a listener throws is a rejection too. A logger that throws has nowhere to report it.
      (async () => listener(describe()))()
        .catch((error: unknown) => logger.error(`${name} failed`, error))
        .catch(() => {});
    }
  };
}
