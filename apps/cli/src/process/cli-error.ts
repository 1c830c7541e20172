import { type ExitCode, exitCodes } from "./exit-code.ts";

/** An error of the CLI itself, with a message for the person at the terminal. */
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

/** Every error of the CLI itself, with its exit code. */
export const localErrors = {
  usage: exitCodes.refused,
  confirmation_required: exitCodes.refused,
  settings_unusable: exitCodes.refused,
  api_key_missing: exitCodes.notAllowed,
  api_key_mistyped: exitCodes.notAllowed,
  not_found: exitCodes.notFound,
  already_exists: exitCodes.conflict,
  input_refused: exitCodes.refused,
  entity_tag_missing: exitCodes.failed,
  partly_done: exitCodes.partial,
  changed_meanwhile: exitCodes.conflict,
  interrupted: exitCodes.interrupted,
} as const satisfies Record<string, ExitCode>;

/** The stable code of an error of the CLI itself. */
type LocalErrorCode = keyof typeof localErrors;
