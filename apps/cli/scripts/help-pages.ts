import type { Rolldown } from "tsdown";
import { describeCommands } from "./describe-commands.ts";

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
