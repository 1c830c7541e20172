import { type ExitCode, exitCodes } from "../process/exit-code.ts";

/** What can go wrong on this side, before anything is sent: a closed set with a total map. */
export const localErrors = {
  usage: exitCodes.refused,
  confirmation_required: exitCodes.refused,
  settings_unusable: exitCodes.refused,
  api_key_missing: exitCodes.notAllowed,
  api_key_mistyped: exitCodes.notAllowed,
  interrupted: exitCodes.interrupted,
} as const satisfies Record<string, ExitCode>;

/** The stable name of an error of this tool itself. */
export type LocalErrorCode = keyof typeof localErrors;
