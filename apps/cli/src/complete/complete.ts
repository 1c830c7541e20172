import { isProfileName, readProfileFile } from "../client/profiles.ts";
import { type Io, writeText } from "../process/io.ts";
import { type Candidate, type Commands, findPosition, type Position } from "./position.ts";
import { isShell, type Shell } from "./shells.ts";

/**
 * Answers the completion script of a shell, which calls this with `siteward __complete`. It is asked while somebody
 * types, so it prints no error: if it knows nothing, the answer is empty.
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

/** What can follow. In a list, another entry can, so the shell adds no space. */
interface Answer {
  readonly kind: "file" | "word" | "list";
  readonly candidates: readonly Candidate[];
}

/** Returns what can follow at this position. Profiles are read from their file, domains from the service. */
async function suggest(io: Io, position: Position): Promise<Answer> {
  const { expected, typed, before } = position;
  const startingWith = (candidates: readonly Candidate[], start = typed, kept = before): readonly Candidate[] =>
    candidates
      .filter(({ value }) => value.startsWith(start))
      .map((candidate) => ({ ...candidate, value: kept + candidate.value }));
  if (typeof expected !== "string") return { kind: "word", candidates: startingWith(expected) };
  switch (expected) {
    case "fields": {
      // The last name of a comma-separated list, without those that are in it.
      const listed = typed.split(",");
      const last = listed.pop() ?? "";
      const names = position.fields.filter((name) => !listed.includes(name)).map((value) => ({ value }));
      return {
        kind: "list",
        candidates: startingWith(names, last, before + typed.slice(0, typed.length - last.length)),
      };
    }
    case "name": {
      // Any other name was not written by the CLI, which would not accept it.
      const { profiles } = await readProfileFile(io);
      const names = [...profiles.byName.keys()].filter(isProfileName).sort();
      return { kind: "word", candidates: startingWith(names.map((value) => ({ value }))) };
    }
    case "website": {
      const { suggestDomains } = await import("./suggest-domains.ts");
      return { kind: "word", candidates: await suggestDomains(io, position) };
    }
    default:
      return { kind: expected === "file" ? "file" : "word", candidates: [] };
  }
}

/** More than a screen shows. */
const maxCandidates = 1_000;

/**
 * Formats an answer for the script of a shell: its kind on the first line, then a candidate on each line, for all
 * shells but bash with a tab and what it means. A candidate is a whole word. Those with a control character are
 * omitted, so that each line is what it seems to be.
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

/** fish adds a space after the only candidate. In a list, two let it stop before the comma. */
function withLonger(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.length === 1 ? candidates.flatMap((only) => [only, { value: `${only.value},` }]) : candidates;
}

function hasControlCharacter(text: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(text);
}

/** What a shell asks: how the word under the cursor can go on. */
interface CompletionRequest {
  readonly shell: Shell;
  /** The words after the name of the program, up to the cursor. The last one is the one to complete. */
  readonly words: readonly string[];
  /** Characters at which the shell splits a word, so that it replaces only what follows the last one. */
  readonly breaks: string;
}

/**
 * Reads what a completion script passed. Each passes it in the way in which its shell changes nothing.
 *
 * @returns undefined if no script of ours passes this
 */
function readRequest(argv: readonly string[], env: Io["env"]): CompletionRequest | undefined {
  const [shell = "", ...rest] = argv;
  if (!isShell(shell)) return undefined;
  if (shell === "bash") {
    const [breaks = "", line = ""] = rest;
    return { shell, words: splitCommandLine(line).slice(1), breaks: breaks.replaceAll(/[^=:@]/g, "") };
  }
  const words = shell === "powershell" ? (env["SITEWARD_COMPLETION_WORDS"] ?? "").split("\n") : rest;
  return { shell, words, breaks: "" };
}

/**
 * Splits the command line of a POSIX shell into words, as far as the cursor, and removes their quotes. Nothing is
 * expanded: a `$` stays as it is. The last word is empty if the line ends with a space. A quote can still be open.
 */
function splitCommandLine(line: string): readonly string[] {
  const words = [""];
  let isInWord = false;
  for (const [part] of line.matchAll(/\s+|'[^']*'?|"(?:\\.|[^"\\])*"?|\\.?|[^\s'"\\]+/gs)) {
    if (/^\s/.test(part)) {
      if (isInWord) words.push("");
      isInWord = false;
    } else {
      words[words.length - 1] += unquote(part);
      isInWord = true;
    }
  }
  return words;
}

function unquote(part: string): string {
  if (part.startsWith("'")) return part.slice(1).replace(/'$/, "");
  if (part.startsWith('"'))
    return part
      .slice(1)
      .replace(/(?<!\\)"$/, "")
      .replaceAll(/\\(["\\$`])/g, "$1");
  return part.startsWith("\\") ? part.slice(1) : part;
}
