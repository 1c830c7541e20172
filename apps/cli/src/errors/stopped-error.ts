/**
 * Several things were to be done in order, and one of them failed, or the user interrupted. What was done before stays done.
 *
 * It is printed as its cause, together with what failed and what was not tried.
 */
export class StoppedError extends Error {
  override readonly name = "StoppedError";
  /** The error that ended the work. It decides the exit code. */
  override readonly cause: unknown;
  /** What failed, as the user named it. Undefined after an interruption. */
  readonly failed: string | undefined;
  /** What was not started, as the user named it, in order. */
  readonly notTried: readonly string[];

  constructor(cause: unknown, failed: string | undefined, notTried: readonly string[]) {
    super(failed === undefined ? "The work was interrupted." : `${failed} failed.`);
    this.cause = cause;
    this.failed = failed;
    this.notTried = notTried;
  }
}
