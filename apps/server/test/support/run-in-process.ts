import type { ProcessResult } from "@siteward/testing/start-process";
import { expect } from "vitest";
import { runProgram } from "../../src/operator/program.ts";

/**
 * Runs a command as the process does, without the time to start one. It gets no signal.
 *
 * @param words in one string if none of them contains a space
 * @param input what it reads on standard input
 */
export async function runInProcess(
  words: string | readonly string[],
  environment: Record<string, string>,
  input = "",
): Promise<ProcessResult> {
  const written = { stdout: "", stderr: "" };
  const note = (line: string) => {
    written.stderr += `${line}\n`;
  };
  const print = (line: string) => {
    written.stdout += `${line}\n`;
  };
  const onSignal = () => () => undefined;
  const context = { environment, print, note, readInput: async () => input, onSignal };
  const exitCode = await runProgram(typeof words === "string" ? words.split(" ") : words, context);
  return { exitCode, ...written };
}

/** Reads standard output, which must contain one JSON value and nothing else. */
export function readJson({ exitCode, stdout, stderr }: ProcessResult) {
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: "" });
  return JSON.parse(stdout);
}
