import { CliError } from "../errors/cli-error.ts";
import { type Io, isInteractive } from "../process/io.ts";

/** Whether this run may ask: at a terminal, and not told to be quiet. */
export function mayAsk(io: Io, flags: { readonly input: boolean }): boolean {
  return flags.input && isInteractive(io);
}

/**
 * Asks for a text without showing it.
 *
 * @throws CliError `interrupted` where the person gives up
 */
export async function askSecret(io: Io, message: string, check: (text: string) => string | undefined): Promise<string> {
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
 * Asks whether to go on; the answer that does nothing is the one already chosen.
 *
 * @throws CliError `interrupted` where the person gives up
 */
export async function askConfirmation(io: Io, message: string): Promise<boolean> {
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({ message, initialValue: false, input: io.stdin, output: io.stderr });
  if (isCancel(answer)) throw interrupted();
  return answer;
}

function interrupted(): CliError {
  return new CliError("interrupted", "interrupted");
}
