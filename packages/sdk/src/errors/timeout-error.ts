import { SitewardError } from "./siteward-error.ts";

/** An attempt took longer than `timeoutMs`. The service may still have acted on it. */
export class TimeoutError extends SitewardError {
  static {
    TimeoutError.prototype.name = "TimeoutError";
  }

  declare readonly code: "timeout";

  /** The time limit of the attempt, in milliseconds. */
  readonly timeoutMs: number;

  constructor(message: string, timeoutMs: number) {
    super("timeout", message);
    this.timeoutMs = timeoutMs;
  }
}
