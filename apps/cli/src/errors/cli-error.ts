import type { LocalErrorCode } from "./local-errors.ts";

/** An error of this tool itself, in words for the person at the terminal. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: LocalErrorCode;
  /** What to do next, as a sentence. */
  readonly next: string | undefined;

  constructor(code: LocalErrorCode, message: string, next?: string) {
    super(message);
    this.code = code;
    this.next = next;
  }
}
