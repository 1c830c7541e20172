export class WorkerStartError extends Error {
  override readonly name = "WorkerStartError";
  /** The exit code of a worker that has written the reason to standard error. Undefined if nothing has been written. */
  readonly exitCode: number | undefined;

  constructor(message: string, exitCode?: number) {
    super(message);
    this.exitCode = exitCode;
  }
}
