import type { Io } from "../process/io.ts";
import { isShell, type Shell } from "./shells.ts";

/** What a shell asks: how the word under the cursor can go on. */
export interface CompletionRequest {
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
export function readRequest(argv: readonly string[], env: Io["env"]): CompletionRequest | undefined {
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
 * Splits the command line of a POSIX shell into words, as far as the cursor, and removes their quotes. Nothing is expanded: a
 * `$` stays as it is. The last word is empty if the line ends with a space. A quote can still be open.
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
