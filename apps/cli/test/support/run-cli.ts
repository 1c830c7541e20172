import type { ProcessResult } from "@siteward/testing/start-process";
import { readTerminalScreen, type TerminalScreen } from "@siteward/testing/terminal-screen";
import { main } from "../../src/main.ts";
import { type IoInput, recordIo } from "./recorded-io.ts";

/** The words of a command line, or a text that has a space between them. */
export type CommandLine = string | readonly string[];

/** How a run ended, and what it wrote. */
export type RunResult = ProcessResult;

/** What a run in a terminal left on the screen. */
export interface Transcript {
  readonly exitCode: number | null;
  /** Everything that was written, unchanged. */
  readonly raw: string;
  readonly screen: TerminalScreen;
  /** The lines of the screen. */
  readonly text: string;
}

/** Settings without which a run would use the keyring of the machine. No other setting of the machine reaches a run. */
export const settings = { SITEWARD_KEY_STORE: "file" } as const;

/** Runs the CLI within the test, without a terminal. */
export async function runCli(commandLine: CommandLine, input: Omit<IoInput, "columns"> = {}): Promise<RunResult> {
  const { io, written } = recordIo({ ...input, env: { ...settings, ...input.env } });
  const exitCode = await main(wordsOf(commandLine), io);
  return { exitCode, ...written() };
}

/** Runs the CLI within the test, in a terminal that nobody types in. */
export async function showCli(commandLine: CommandLine, input: IoInput = {}): Promise<Transcript> {
  const { columns = 100, env } = input;
  const { io, raw } = recordIo({ ...input, columns, env: { ...settings, ...env } });
  const exitCode = await main(wordsOf(commandLine), io);
  const screen = await readTerminalScreen(raw(), columns);
  return { exitCode, raw: raw(), screen, text: `${screen.lines.join("\n")}\n` };
}

/** Returns the words of a command line. */
export function wordsOf(commandLine: CommandLine): readonly string[] {
  return typeof commandLine === "string" ? commandLine.split(" ").filter((word) => word !== "") : commandLine;
}

/** Returns the result of a run as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it
export function jsonOf({ stdout }: Pick<RunResult, "stdout">): any {
  return JSON.parse(stdout);
}

/** Returns each line of NDJSON. */
export function linesOf(ndjson: string): ReturnType<typeof jsonOf>[] {
  return ndjson
    .trimEnd()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Returns the error of a run, which is the last thing that it writes. */
export function errorOf({ stderr }: Pick<RunResult, "stderr">): ReturnType<typeof jsonOf> {
  return linesOf(stderr).at(-1)?.error;
}

/** Returns the warnings of a run. */
export function warningsOf({ stderr }: Pick<RunResult, "stderr">): readonly string[] {
  return linesOf(stderr).flatMap(({ warning }) => warning?.message ?? []);
}
