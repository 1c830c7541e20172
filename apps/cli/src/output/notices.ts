import { safeLines, safeText } from "@siteward/start/safe-text";
import { type Io, writeMessage } from "../process/io.ts";
import { jsonText } from "./json.ts";
import { withList } from "./lists.ts";

/** Prints a line for people on stderr, next to the result. Prints nothing if stderr is not a terminal. */
export async function note(io: Io, text: string): Promise<void> {
  if (io.stderr.isTTY === true) await writeMessage(io, `${safeText(text)}\n`);
}

/** A warning: one line, or a line with a list below it. */
export type Warning = string | { readonly head: string; readonly things: readonly string[] };

/**
 * Prints a warning on stderr, terminal or not: one line of JSON if errors are JSON too. People read the first things of
 * a list, and programs get all of them.
 */
export async function warn(io: Io, warning: Warning): Promise<void> {
  if (io.facts.areMessagesJson?.() === true) {
    const message = warningText(warning, Number.POSITIVE_INFINITY);
    await writeMessage(io, `${jsonText({ warning: { message } })}\n`);
  } else await writeMessage(io, `Warning: ${safeLines(warningText(warning))}\n`);
}

function warningText(warning: Warning, maxListed?: number): string {
  return typeof warning === "string" ? warning : withList(warning.head, warning.things, maxListed);
}
