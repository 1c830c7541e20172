import { fileURLToPath } from "node:url";
import type { Rolldown } from "tsdown";

/** What `siteward websites get` loads, with what these import. It is what every command that sends a request needs. */
const roots = ["../src/main.ts", "../src/commands/websites-get.ts", "../src/output/json.ts", "@siteward/sdk"].map(
  (name) => fileURLToPath(import.meta.resolve(name)),
);

/** Names the chunk of the modules that a request needs, for `codeSplitting`. All other modules get null. */
export function requestChunk(id: string, context: Rolldown.ChunkingContext): string | null {
  const needed = new Set<string>();
  const visit = (module: string): void => {
    if (needed.has(module)) return;
    needed.add(module);
    for (const imported of context.getModuleInfo(module)?.importedIds ?? []) visit(imported);
  };
  for (const root of roots) visit(root);
  return needed.has(id) ? "request" : null;
}
