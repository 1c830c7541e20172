import type { ProcessResult } from "@siteward/testing/start-process";
import { runProgram } from "../../src/operator/program.ts";

/** Runs a command as the process does, without the time to start one. It gets no signal. */
export async function runInProcess(
  words: readonly string[],
  environment: Record<string, string>,
): Promise<ProcessResult> {
  const written = { stdout: "", stderr: "" };
  const note = (line: string) => {
    written.stderr += `${line}\n`;
  };
  const print = (line: string) => {
    written.stdout += `${line}\n`;
  };
  const onSignal = () => () => undefined;
  const exitCode = await runProgram(words, { environment, print, note, onSignal });
  return { exitCode, ...written };
}
