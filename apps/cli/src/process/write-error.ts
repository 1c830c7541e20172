/** A stream did not accept what was written to it, for example because its reader went away or its disk is full. */
export class WriteError extends Error {
  override readonly name = "WriteError";
  /** The code of the system, such as `ENOSPC`. */
  readonly code: string | undefined;

  constructor(cause: NodeJS.ErrnoException) {
    // Node writes "ENOSPC: no space left on device, write".
    super(cause.message.replace(/^[A-Z]+: (.*), \w+$/, "$1"), { cause });
    this.code = cause.code;
  }
}
