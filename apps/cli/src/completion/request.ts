import type { Io } from "../process/io.ts";
import { type Shell, shells } from "./shells.ts";
import { splitCommandLine } from "./split-command-line.ts";

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

function isShell(text: string): text is Shell {
  return Object.hasOwn(shells, text);
}
