import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findProblems } from "./find-problems.ts";
import { readLayers } from "./layer.ts";
import { layeredFolders } from "./layers.ts";
import { listSources } from "./list-sources.ts";
import { renderBoundaries } from "./render-boundaries.ts";

/** Part of `pnpm check`: every source file belongs to a layer, and biome.boundaries.json is rendered from the current table. */
const root = new URL("../../", import.meta.url);
const layers = readLayers(layeredFolders);
const isFresh = readFileSync(new URL("biome.boundaries.json", root), "utf8") === renderBoundaries(layers);
const problems = [
  ...findProblems(layers, listSources(fileURLToPath(root))),
  ...(isFresh ? [] : ["biome.boundaries.json is older than scripts/boundaries/layers.ts. Run `pnpm generate`."]),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
