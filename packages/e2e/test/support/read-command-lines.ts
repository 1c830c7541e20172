import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cliBin, serverBin } from "./built-server.ts";
import { documentedPages, repositoryRoot } from "./documented-pages.ts";

/** A line that calls one of our programs, or a program with which ours are installed or called. */
const call = /(?:^|[\s;|&(])(?:siteward|siteward-server|pnpm|curl|npx|npm) /;

/**
 * Returns the command lines of all pages and help texts, without comments, each once. A line that ends in a backslash
 * continues in the next one.
 */
export function readCommandLines(): readonly string[] {
  const lines = [
    ...documentedPages.flatMap(commandLinesOf),
    ...helpExamples(cliBin, []),
    ...helpExamples(serverBin, []),
  ];
  return [...new Set(lines)];
}

/** Returns the command lines of a page, in its order: those of fenced blocks for a shell and of indented blocks. */
export function commandLinesOf(page: string): readonly string[] {
  return shellLinesOf(readFileSync(join(repositoryRoot, page), "utf8")).filter((line) => call.test(line));
}

/** What is indented in a fenced block is no block of its own, so both kinds are found in turn. */
function shellLinesOf(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$|^(?: {4}\S.*\n)+/gm)];
  const ofShell = blocks.filter(([, language = "sh"]) => language === "sh" || language === "console");
  return ofShell.flatMap(([whole, , fenced = whole]) =>
    fenced
      .replaceAll(/\\\n\s*/g, "")
      .split("\n")
      .map(bare),
  );
}

/** Removes the indentation and the comment. */
function bare(line: string): string {
  return line.replace(/\s+#\s.*$/, "").trim();
}

/** Returns the examples in the help of a program and of all its commands. */
function helpExamples(bin: string, words: readonly string[]): readonly string[] {
  const help = execFileSync(process.execPath, [bin, ...words, "--help"], { encoding: "utf8" });
  const examples = /^Examples:\n((?: {2}.*\n)+)/m.exec(help)?.[1] ?? "";
  const commands = /^Commands:\n((?: {2}.*\n)+)/m.exec(help)?.[1] ?? "";
  const below = [...commands.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, command = ""]) => command);
  return [
    ...examples.split("\n").flatMap((line) => (call.test(line.trim()) ? [bare(line)] : [])),
    ...below.filter((command) => command !== "help").flatMap((command) => helpExamples(bin, [...words, command])),
  ];
}
