import { systemReason } from "./system-reason.ts";

/** A stream did not accept what was written: its reader went away, or its disk is full. */
export class WriteError extends Error {
  override readonly name = "WriteError";
  /** The code of the system, such as `ENOSPC`. */
  readonly code: string | undefined;

  constructor(cause: NodeJS.ErrnoException) {
    super(systemReason(cause), { cause });
    this.code = cause.code;
  }
}

/** Whether the reader of the output went away, as with `| head`. It has what it needs. */
export function isReaderGone(error: unknown): boolean {
  return error instanceof WriteError && error.code === "EPIPE";
}

/** Waits until something is written, or its reader went away, if the command ends the same way. */
export async function evenIfUnread(writing: Promise<void>): Promise<void> {
  await writing.catch((error: unknown) => {
    if (!isReaderGone(error)) throw error;
  });
}
