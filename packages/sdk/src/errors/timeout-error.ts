import { SitewardError } from "./siteward-error.ts";

/** An attempt took longer than `timeoutMs`. The service may have acted all the same. */
export class TimeoutError extends SitewardError {
  static {
    TimeoutError.prototype.name = "TimeoutError";
  }

  declare readonly code: "timeout";

  /** The time that the attempt was allowed, in milliseconds. */
  readonly timeoutMs: number;

  constructor(message: string, timeoutMs: number) {
    super("timeout", message);
    this.timeoutMs = timeoutMs;
  }
}
