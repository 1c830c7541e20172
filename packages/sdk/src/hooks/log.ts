import type { SitewardError } from "../errors/siteward-error.ts";
import type { RequestEvent } from "./hooks.ts";
import type { Listeners } from "./notify.ts";

/** Where the client logs, such as `console` or a logger of pino or winston. */
export interface Logger {
  /** Is called for each attempt, with the fields of its event. */
  debug(message: string, details: object): unknown;
  /** Is called at the end of each call, with `status` or the `code` of the error, `attempts` and `elapsedMs`. */
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

/** Returns the listeners that log. They log nothing but what the events contain, and of an error only its code. */
export function createLog(logger: Logger, level: LogLevel): Listeners {
  const write = (at: "debug" | "info" | "warn", happened: string) =>
    logLevels.indexOf(at) > logLevels.indexOf(level)
      ? undefined
      : ({ error, ...details }: RequestEvent & { readonly error?: SitewardError }) =>
          logger[at](`${details.method} ${details.url} ${happened}`, {
            ...details,
            ...(error && { code: error.code }),
          });
  return {
    onRequest: write("debug", "is sent"),
    onResponse: write("debug", "is answered"),
    onRetry: write("warn", "will be retried"),
    onEnd: write("info", "ended"),
  };
}
