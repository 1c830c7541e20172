import { readFileSync } from "node:fs";
import { join } from "node:path";
import { documentedPages, repositoryRoot } from "./documented-pages.ts";
import { readMessageCommands } from "./read-messages.ts";
import type { Programs } from "./read-programs.ts";

/** A command line that a user may paste. */
export interface CommandLine {
  readonly text: string;
  /** Whether a page, or a help text, has it as a line of its own. Others are named in a sentence. */
  readonly isOwnLine: boolean;
  /** Whether the reader has logged in or set a key by then, on each page with the line. */
  readonly hasKey: boolean;
}

/** A line that calls one of our programs, or a program with which ours are installed or called. */
const call = /(?:^|[\s;|&(])(?:siteward|siteward-server|pnpm|curl|npx|npm) /;

const namedCall = /^(?:\w+=\S+ )*(?:siteward|siteward-server|pnpm|curl|npx|npm) /;

/** What gives the CLI and `curl` a key. */
const login = /siteward login|export SITEWARD_API_KEY=/;

/**
 * Returns the command lines of all pages and help texts, and the commands in sentences and messages, without comments, each once. A
 * line that ends in a backslash continues in the next one.
 */
export function readCommandLines(programs: Programs): readonly CommandLine[] {
  const helpTexts = Object.values(programs).flatMap((texts) => [...texts.values()]);
  return mergeEqual([
    ...documentedPages.flatMap(linesOfPage),
    ...helpTexts.flatMap(linesOfHelp),
    ...readMessageCommands().map(named),
  ]);
}

/** Returns the command lines of a page, in its order: those of fenced blocks for a shell and of indented blocks. */
export function commandLinesOf(page: string): readonly string[] {
  return ownLinesOf(readPage(page)).map(({ text }) => text);
}

function readPage(page: string): string {
  return readFileSync(join(repositoryRoot, page), "utf8");
}

function linesOfPage(page: string): readonly CommandLine[] {
  const text = readPage(page);
  return [...ownLinesOf(text), ...namedIn(text)];
}

/** What is indented in a fenced block is no block of its own, so both kinds are found in turn. */
function ownLinesOf(page: string): readonly CommandLine[] {
  const blocks = [...page.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$|^(?: {4}\S.*\n)+/gm)];
  const ofShell = blocks.filter(([, language]) => ["sh", "bash", "shell", "console"].includes(language || "sh"));
  const keyAt = page.search(login);
  return ofShell.flatMap(({ 0: whole, 2: fenced = whole, index }) =>
    [...fenced.replaceAll(/\\\n\s*/g, "").matchAll(/.+/g)].flatMap((line) => {
      const text = bare(line[0]);
      const hasKey = keyAt !== -1 && keyAt <= index + whole.indexOf(fenced) + line.index;
      return call.test(text) ? [{ text, isOwnLine: true, hasKey }] : [];
    }),
  );
}

/** Returns the commands that sentences and tables name. */
function namedIn(page: string): readonly CommandLine[] {
  const prose = page.replaceAll(/^ *```[\s\S]*?^ *```$/gm, "");
  const texts = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text);
  return texts.filter((text) => namedCall.test(text)).map(named);
}

/** Such a command runs if it is a line somewhere, too. Otherwise it is only checked, as most leave out what a user fills in. */
function named(text: string): CommandLine {
  return { text, isOwnLine: false, hasKey: true };
}

/** Returns the examples of a help. Who reads them has logged in. */
function linesOfHelp(help: string): readonly CommandLine[] {
  const examples = /^Examples:\n((?: {2}.*\n)+)/m.exec(help)?.[1] ?? "";
  const texts = examples.split("\n").map(bare);
  return texts.filter((text) => call.test(text)).map((text) => ({ text, isOwnLine: true, hasKey: true }));
}

/** Removes the indentation and the comment. */
function bare(line: string): string {
  return line.replace(/\s+#\s.*$/, "").trim();
}

function mergeEqual(lines: readonly CommandLine[]): readonly CommandLine[] {
  return Object.entries(Object.groupBy(lines, ({ text }) => text)).map(([text, equal = []]) => ({
    text,
    isOwnLine: equal.some(({ isOwnLine }) => isOwnLine),
    hasKey: equal.every(({ hasKey }) => hasKey),
  }));
}
