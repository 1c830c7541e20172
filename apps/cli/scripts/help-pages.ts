import process from "node:process";
import type { Rolldown } from "tsdown";
import { createProgram } from "../src/program.ts";

/** Replaces `src/help/built-pages.ts` by the help of all commands. */
export function helpPages(): Rolldown.Plugin {
  return {
    name: "help-pages",
    load: async (id) =>
      /[\\/]src[\\/]help[\\/]built-pages\.ts$/.test(id)
        ? `export const builtPages = ${JSON.stringify(await renderPages())};`
        : undefined,
  };
}

async function renderPages() {
  const pages = Object.entries(await describeCommands());
  return Object.fromEntries(pages.map(([words, page]) => [words, JSON.stringify(page)]));
}

/** Loads every command. None of them runs, so what the program gets of this process does not matter. */
function describeCommands() {
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
