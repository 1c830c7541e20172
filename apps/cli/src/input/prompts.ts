import { CliError } from "../errors/cli-error.ts";
import { type Io, isInteractive } from "../process/io.ts";

/** Whether this run may prompt: at a terminal, and without `--no-input`. */
export function mayPrompt(io: Io, flags: { readonly input: boolean }): boolean {
  return flags.input && isInteractive(io);
}

/**
 * Prompts for a string and hides what is typed. An answer that `check` finds wrong is cleared, and the prompt shows why.
 *
 * @throws CliError `interrupted` if the person cancels
 */
export async function promptForSecret(
  io: Io,
  message: string,
  check: (text: string) => string | undefined,
): Promise<string> {
  const { isCancel, password } = await loadPrompts();
  const answer = await password({
    message,
    input: io.stdin,
    output: io.stderr,
    validate: (text) => check(text ?? ""),
    clearOnError: true,
  });
  if (isCancel(answer)) throw canceled();
  return answer;
}

/**
 * Prompts for a confirmation. The default answer is no.
 *
 * @throws CliError `interrupted` if the person cancels
 */
export async function promptForConfirmation(io: Io, message: string): Promise<boolean> {
  const { confirm, isCancel } = await loadPrompts();
  const answer = await confirm({ message, initialValue: false, input: io.stdin, output: io.stderr });
  if (isCancel(answer)) throw canceled();
  return answer;
}

/**
 * Prompts for a line of text. An answer that `check` finds wrong stays, and the prompt shows why.
 *
 * @throws CliError `interrupted` if the person cancels
 */
export async function promptForText(
  io: Io,
  message: string,
  check: (text: string) => string | undefined,
): Promise<string> {
  const { isCancel, text } = await loadPrompts();
  const answer = await text({ message, input: io.stdin, output: io.stderr, validate: (value) => check(value ?? "") });
  if (isCancel(answer)) throw canceled();
  return answer;
}

/** The key that a terminal sends for Ctrl-D. */
const endOfInput = "\u0004";

/** Loads the prompts. By default, Ctrl-D would close their input and leave them waiting, so it cancels as Ctrl-C does. */
async function loadPrompts() {
  const prompts = await import("@clack/prompts");
  prompts.updateSettings({ aliases: { [endOfInput]: "cancel" } });
  return prompts;
}

function canceled(): CliError {
  return new CliError("interrupted", "Canceled.");
}
