import { CliError } from "../errors/cli-error.ts";
import { type Io, isInteractive } from "../process/io.ts";

/** Whether this run may prompt: at a terminal, and without `--no-input`. */
export function mayPrompt(io: Io, flags: { readonly input: boolean }): boolean {
  return flags.input && isInteractive(io);
}

/**
 * Prompts for a string and hides what is typed.
 *
 * @throws CliError `interrupted` if the person cancels
 */
export async function promptForSecret(
  io: Io,
  message: string,
  check: (text: string) => string | undefined,
): Promise<string> {
  const { isCancel, password } = await import("@clack/prompts");
  const answer = await password({
    message,
    input: io.stdin,
    output: io.stderr,
    validate: (text) => check(text ?? ""),
  });
  if (isCancel(answer)) throw interrupted();
  return answer;
}

/**
 * Prompts for a confirmation. The default answer is no.
 *
 * @throws CliError `interrupted` if the person cancels
 */
export async function promptForConfirmation(io: Io, message: string): Promise<boolean> {
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({ message, initialValue: false, input: io.stdin, output: io.stderr });
  if (isCancel(answer)) throw interrupted();
  return answer;
}

function interrupted(): CliError {
  return new CliError("interrupted", "Interrupted.");
}
