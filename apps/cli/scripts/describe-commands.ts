import process from "node:process";
import type { HelpPages } from "../src/help/help-page.ts";
import { createProgram } from "../src/program.ts";

/** Returns the help of all commands. None of them runs, so what the program gets of this process does not matter. */
export function describeCommands(): Promise<HelpPages> {
  const { stdin, stdout, stderr, platform } = process;
  return createProgram({
    stdin,
    stdout,
    stderr,
    platform,
    env: {},
    homeDirectory: "",
    facts: {},
    interruption: { takeOver: () => ({ signal: new AbortController().signal, [Symbol.dispose]: () => undefined }) },
    runtime: process,
  }).describe();
}
