import { writeFileSync } from "node:fs";
import { readLayers } from "./layer.ts";
import { layeredFolders } from "./layers.ts";
import { renderBoundaries } from "./render-boundaries.ts";

/** Writes biome.boundaries.json from the table of layers. */
writeFileSync(new URL("../../biome.boundaries.json", import.meta.url), renderBoundaries(readLayers(layeredFolders)));
