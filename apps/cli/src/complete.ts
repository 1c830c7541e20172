import { formatAnswer } from "./completion/answer.ts";
import type { FindPage } from "./completion/options.ts";
import { findPosition } from "./completion/position.ts";
import { readRequest } from "./completion/request.ts";
import { suggest } from "./completion/suggest.ts";
import { builtPages } from "./help/built-pages.ts";
import type { HelpPage } from "./help/help-page.ts";
import { type Io, writeText } from "./process/io.ts";

/**
 * Answers the completion script of a shell, which calls this with `siteward __complete`. It is asked while somebody types, so it
 * prints no error: if it knows nothing, the answer is empty.
 *
 * @param argv what the script passed after that word
 */
export async function complete(argv: readonly string[], io: Io): Promise<void> {
  try {
    const request = readRequest(argv, io.env);
    if (request === undefined) return;
    const position = findPosition(await pageFinder(io), request.words);
    await writeText(io.stdout, formatAnswer(await suggest(io, position), request));
  } catch {
    // An answer of nothing.
  }
}

/** When the CLI runs from its sources, this loads all commands. */
async function pageFinder(io: Io): Promise<FindPage> {
  if (Object.keys(builtPages).length > 0) return findBuiltPage;
  const { createProgram } = await import("./program.ts");
  const pages = await createProgram(io).describe();
  return (command) => (Object.hasOwn(pages, command) ? pages[command] : undefined);
}

function findBuiltPage(command: string): HelpPage | undefined {
  const text = Object.hasOwn(builtPages, command) ? builtPages[command] : undefined;
  return text === undefined ? undefined : JSON.parse(text);
}
