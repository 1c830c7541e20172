import { CliError } from "../process/cli-error.ts";
import { type Io, isInteractive } from "../process/io.ts";

/** Whether this run may prompt: at a terminal, and without `--no-input`. */
export function mayPrompt(io: Io, flags: { readonly input: boolean }): boolean {
  return flags.input && isInteractive(io);
}

/**
 * Prompts for a string and hides what is typed. An answer that `check` finds wrong is cleared, and the prompt shows
 * why.
 *
 * @throws CliError `interrupted` if the person cancels
 */
export function promptForSecret(io: Io, message: string, check: Check): Promise<string> {
  const validate = (text = ""): string | undefined => check(text);
  return ask(({ password }) => password({ ...streamsOf(io), message, validate, clearOnError: true }));
}

/**
 * Prompts for a line of text. An answer that `check` finds wrong stays, and the prompt shows why.
 *
 * @throws CliError `interrupted` if the person cancels
 */
export function promptForText(io: Io, message: string, check: Check): Promise<string> {
  return ask(({ text }) => text({ ...streamsOf(io), message, validate: (typed = "") => check(typed) }));
}

/**
 * Prompts for a confirmation. The default answer is no.
 *
 * @throws CliError `interrupted` if the person cancels
 */
export function promptForConfirmation(io: Io, message: string): Promise<boolean> {
  return ask(({ confirm }) => confirm({ ...streamsOf(io), message, initialValue: false }));
}

/** Prompts twice for a website's password, since it is hidden while it is typed. */
export async function promptForPassword(io: Io): Promise<string> {
  const { findPasswordTextFault, passwordLength } = await import("@siteward/contract/plain");
  const length = `${passwordLength.min} to ${passwordLength.max} characters`;
  const password = await promptForSecret(io, `Password for visitors (${length})`, (text) =>
    findPasswordTextFault(text) === undefined ? undefined : `Enter ${length}.`,
  );
  await promptForSecret(io, "Repeat the password", (text) =>
    text === password ? undefined : "The passwords do not match.",
  );
  return password;
}

/** Returns what is wrong with an answer; undefined if nothing is. */
type Check = (text: string) => string | undefined;

type Prompts = typeof import("@clack/prompts");

/** Ctrl-D would close the input of a prompt and leave it waiting, so it cancels as Ctrl-C does. */
async function ask<Answer>(prompt: (prompts: Prompts) => Promise<Answer>): Promise<Exclude<Answer, symbol>> {
  const prompts = await import("@clack/prompts");
  prompts.updateSettings({ aliases: { [endOfInput]: "cancel" } });
  const answer = await prompt(prompts);
  if (prompts.isCancel(answer)) throw new CliError("interrupted", "Canceled.");
  // Only what a person cancels is a symbol.
  return answer as Exclude<Answer, symbol>;
}

/** The key that a terminal sends for Ctrl-D. */
const endOfInput = "\u0004";

function streamsOf({ stdin, stderr }: Io) {
  return { input: stdin, output: stderr };
}
