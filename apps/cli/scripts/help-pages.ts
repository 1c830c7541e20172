import process from "node:process";
import type { Rolldown } from "tsdown";
import { createProgram } from "../src/program.ts";

/** Replaces `src/help-pages.ts` by the help of all commands. */
export function helpPages(): Rolldown.Plugin {
  return {
    name: "help-pages",
    load: async (id) =>
      /[\\/]src[\\/]help-pages\.ts$/.test(id)
        ? `export const helpPages = ${JSON.stringify(await renderPages())};`
        : undefined,
  };
}

/** None of the commands runs, so what the program gets of this process does not matter. */
function renderPages(): Promise<Readonly<Record<string, string>>> {
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
    saveMemory: () => undefined,
  }).helpPages();
}
