import type { CommandContext } from "../../src/operator/io/command-context.ts";
import { runProgram } from "../../src/operator/program.ts";
import type { ProgramResult } from "./run-program.ts";

/** Runs a command as the process does, without the time to start one. It gets no signal. */
export async function runInProcess(
  words: readonly string[],
  environment: Record<string, string>,
  world: Partial<Pick<CommandContext, "redraw" | "onSignal" | "ask" | "readInput">> = {},
): Promise<ProgramResult> {
  const written = { stdout: "", stderr: "" };
  const note = (line: string) => {
    written.stderr += `${line}\n`;
  };
  const print = (line: string) => {
    written.stdout += `${line}\n`;
  };
  const unused = {
    version: "1.2.3",
    ownProcess: process,
    untilPrinted: async () => undefined,
    onSignal: () => () => undefined,
    isLogOnTerminal: false,
    isTerminalClosed: () => false,
    readInput: () => emptyInput(),
    operatorName: () => "tester",
    runtime: {
      userId: process.geteuid?.(),
      nodeVersion: "24.18.1",

      compileCacheFolder: "/cache",
    },
    openCluster: () => Promise.reject(),
  };
  const exitCode = await runProgram(words, { environment, print, note, log: note, ...unused, ...world });
  return { exitCode, ...written };
}

async function* emptyInput(): AsyncGenerator<Uint8Array> {}
