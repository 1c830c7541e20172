import { describeEffort } from "../errors/add-call.ts";
import type { SitewardError } from "../errors/siteward-error.ts";
import type { Listeners, RequestEvent } from "./hooks.ts";

/** What the client logs to, such as `console` or a logger of pino or winston. Each message says what the details say. */
export interface Logger {
  /** Is called for each attempt, with the fields of its event. */
  debug(message: string, details: object): unknown;
  /** Is called at the end of each call, with `status` or the `code` of the error, `attempt`, the last one, and `elapsedMs`. */
  info(message: string, details: object): unknown;
  /** Is called before each retry, with the `code` of the error and `delayMs`. */
  warn(message: string, details: object): unknown;
  /** Is called if a hook fails, with what it threw. */
  error(message: string, details: unknown): unknown;
}

/** From nothing to everything. */
export const logLevels = ["off", "error", "warn", "info", "debug"] as const;

/** How much is logged: errors of hooks, retries (`warn`), the end of each call (`info`), each attempt (`debug`). */
export type LogLevel = (typeof logLevels)[number];

/** What each event has, and what some have. */
interface LoggedEvent extends RequestEvent {
  readonly error?: SitewardError;
}

/**
 * Returns the listeners that log. They log nothing but what the events contain, and of an error only its code. The facts are
 * in the message too, because pino ignores an object that follows it.
 */
export function createLog(logger: Logger, level: LogLevel): Listeners {
  const write = <Event extends LoggedEvent>(at: "debug" | "info" | "warn", describe: (event: Event) => string) =>
    logLevels.indexOf(at) > logLevels.indexOf(level)
      ? undefined
      : (event: Event) => {
          const { error, ...details } = event;
          const message = `${event.method} ${event.url} ${describe(event)}`;
          return logger[at](message, { ...details, ...(error && { code: error.code }) });
        };
  return {
    onRequest: write("debug", ({ attempt }) => (attempt > 1 ? `is sent as attempt ${attempt}` : "is sent")),
    onResponse: write("debug", ({ status, durationMs }) => `answered ${status} in ${durationMs} ms`),
    onRetry: write("warn", ({ error, delayMs }) => `will be retried in ${delayMs} ms after ${error.code}`),
    onEnd: write("info", (end) => {
      const result = end.error ? `failed with ${end.error.code}` : `ended with ${end.status}`;
      return `${result} ${describeEffort({ attempts: end.attempt, elapsedMs: end.elapsedMs })}`;
    }),
  };
}
