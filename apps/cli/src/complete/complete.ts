import { type Io, writeText } from "../process/io.ts";
import { type Candidate, type Commands, findPosition } from "./position.ts";
import { type CompletionRequest, readRequest } from "./request.ts";
import { type Answer, suggest } from "./suggest.ts";

/**
 * Answers the completion script of a shell, which calls this with `siteward __complete`. It is asked while somebody types, so it
 * prints no error: if it knows nothing, the answer is empty.
 *
 * @param argv what the script passed after that word
 * @param commands what there is to complete
 */
export async function complete(argv: readonly string[], io: Io, commands: Commands): Promise<void> {
  try {
    const request = readRequest(argv, io.env);
    if (request === undefined) return;
    const position = await findPosition(commands, request.words);
    await writeText(io.stdout, formatAnswer(await suggest(io, position), request));
  } catch {
    // An answer of nothing.
  }
}

/** More than a screen shows. */
const maxCandidates = 1_000;

/**
 * Formats an answer for the script of a shell: its kind on the first line, then a candidate on each line, for all shells but
 * bash with a tab and what it means. A candidate is a whole word. Those with a control character are omitted, so that each
 * line is what it seems to be.
 */
function formatAnswer({ kind, candidates }: Answer, { shell, words, breaks }: CompletionRequest): string {
  const word = words.at(-1) ?? "";
  // bash replaces only what follows the last character at which it splits words.
  const start = Math.max(-1, ...[...breaks].map((character) => word.lastIndexOf(character))) + 1;
  const lines = (shell === "fish" && kind === "list" ? withLonger(candidates) : candidates)
    .filter(({ value }) => value !== "" && !hasControlCharacter(value))
    .slice(0, maxCandidates)
    .map(({ value, description = "" }) =>
      shell === "bash" ? value.slice(start) : `${value}\t${hasControlCharacter(description) ? "" : description}`,
    );
  return [kind, ...lines, ""].join("\n");
}

/** fish adds a space after the only candidate, whatever the script says. In a list, two let it stop before the comma. */
function withLonger(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.length === 1 ? candidates.flatMap((only) => [only, { value: `${only.value},` }]) : candidates;
}

function hasControlCharacter(text: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(text);
}
