import { type Io, writeMessage } from "../process/io.ts";
import { fitTerminal } from "./fit-terminal.ts";
import { areMessagesJson } from "./formats.ts";
import { jsonText } from "./json.ts";
import type { OutputFlags } from "./output.ts";
import { safeLines, safeText } from "./safe-text.ts";

/** Whether somebody can read notes: stderr is a terminal. */
export function showsNotes(io: Io): boolean {
  return io.stderr.isTTY === true;
}

/** Prints a line for people on stderr, next to the result. Prints nothing if stderr is not a terminal. */
export async function note(io: Io, text: string): Promise<void> {
  if (showsNotes(io)) await writeMessage(io, await fitTerminal(io.stderr, `${safeText(text)}\n`));
}

/** Prints a command below a note. Only the terminal itself wraps it, so that it can be copied as one line. */
export async function noteCommand(io: Io, commandLine: string): Promise<void> {
  if (showsNotes(io)) await writeMessage(io, `  ${safeText(commandLine)}\n`);
}

/**
 * Prints a warning on stderr, terminal or not: one line of JSON if errors are JSON too.
 *
 * @param text can have several lines, none of which is quoted from the service or from a file
 */
export async function warn(io: Io, flags: OutputFlags, text: string): Promise<void> {
  if (areMessagesJson(flags.output, io)) await writeMessage(io, `${jsonText({ warning: { message: text } })}\n`);
  else await writeMessage(io, await fitTerminal(io.stderr, `Warning: ${safeLines(text)}\n`));
}
