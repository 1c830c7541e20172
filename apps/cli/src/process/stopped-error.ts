/** What of several websites was not done, as the user named it, in order. */
export interface Rest {
  /** What met the error that ended the work. Undefined after an interruption. */
  readonly failed?: string | undefined;
  /** What was on its way at the same time, and failed too. */
  readonly alsoFailed?: readonly string[] | undefined;
  /** Whose answer was lost, so that it may be done. */
  readonly unknown?: readonly string[] | undefined;
  /** What was to be created and exists already. */
  readonly existing?: readonly string[] | undefined;
  /** What does not exist. Nothing was done then. */
  readonly missing?: readonly string[] | undefined;
  /** What would become public, or lose its password. Nothing was done then. */
  readonly opened?: readonly string[] | undefined;
  readonly passwordsDeleted?: readonly string[] | undefined;
  /** What was not done because the work ended before. Undefined if it did not start. */
  readonly notTried?: readonly string[] | undefined;
}

/**
 * Several things were to be done in order, and not all of them are. What was done stays done.
 *
 * It is printed as its cause, together with the rest.
 */
export class StoppedError extends Error {
  override readonly name = "StoppedError";
  readonly rest: Rest;

  /** @param cause the error that ended the work. It decides the exit code. */
  constructor(cause: unknown, rest: Rest) {
    super("Not everything was done.", { cause });
    this.rest = rest;
  }
}
