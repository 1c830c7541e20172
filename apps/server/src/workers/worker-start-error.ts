/** A worker ended before it listened, and has told why on standard error. */
export class WorkerStartError extends Error {
  override readonly name = "WorkerStartError";
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`A worker ended with ${exitCode} before it listened.`);
    this.exitCode = exitCode;
  }
}
