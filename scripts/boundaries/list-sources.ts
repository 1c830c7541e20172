import { globSync } from "node:fs";

/** Lists the TypeScript files of the repository that have or need a layer, from its root. */
export function listSources(root: string): string[] {
  const notSources = ["**/node_modules/**", "**/dist/**"];
  return globSync("{apps,examples,packages,scripts}/**/*.{ts,mts,cts,tsx}", {
    cwd: root,
    exclude: notSources,
  }).toSorted();
}
