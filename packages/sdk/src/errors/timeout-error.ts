import { SitewardError } from "./siteward-error.ts";

/**
 * The last attempt took longer than `timeoutMs`. The service may still have acted on it.
 *
 * @example
 * try {
 *   await siteward.websites.delete(7, { timeoutMs: 5_000 });
 * } catch (error) {
 *   if (!(error instanceof TimeoutError)) throw error;
 *   console.log(`no answer within ${error.timeoutMs} ms, after ${error.attempts} attempts`);
 * }
 */
export class TimeoutError extends SitewardError {
  static {
    TimeoutError.prototype.name = "TimeoutError";
  }

  /** Always `timeout`. */
  declare readonly code: "timeout";

  /** The time limit of the attempt, in milliseconds. */
  readonly timeoutMs: number;

  constructor(message: string, timeoutMs: number) {
    super("timeout", message);
    this.timeoutMs = timeoutMs;
  }
}
