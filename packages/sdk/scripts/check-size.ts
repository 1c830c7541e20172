import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { gzipSync } from "node:zlib";
import { build } from "tsdown";

/** Sources of the testing entry and of what only it may bundle. */
const ofTesting = /^src\/testing\b|^\.\.\/service\/|\/schemas\/|node_modules\//;

/** What users download for an entry, minified and compressed by gzip, which the README states, and what it must not contain. */
const limits = [
  { name: "index", maxBytes: 10_250, foreign: [ofTesting, /^src\/mirror\//] },
  { name: "mirror", maxBytes: 6_750, foreign: [ofTesting, /^src\/(request|retry|resources)\//] },
];

/**
 * Checks built entries: their sizes, and that they contain nothing of other entries, even if they share files.
 * We do not use size-limit: it needs a second bundler (esbuild, 10 MB and an install script), and does not say what an
 * entry contains. Its figure for the same file differs by 0.6 %.
 */
for (const { name, maxBytes, foreign } of limits) {
  const chunks = await bundle(join(dirname(import.meta.dirname), `dist/${name}.mjs`));
  const bytes = chunks.reduce((sum, { code }) => sum + gzipSync(code).byteLength, 0);
  const sources = (await Promise.all(chunks.flatMap(({ moduleIds }) => moduleIds).map(listSources))).flat();
  const strangers = sources.filter((source) => foreign.some((pattern) => pattern.test(source)));
  const faults = [
    ...(bytes < maxBytes ? [] : [`It must have fewer than ${format(maxBytes)} bytes.`]),
    ...(sources.includes("src/errors/siteward-error.ts") ? [] : ["The build does not say which sources it contains."]),
    ...strangers.map((source) => `It must not contain ${source}.`),
  ];
  console.log(`The entry ${name} has ${format(bytes)} of ${format(maxBytes)} bytes (minified, gzip).`);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}

/** Bundles the entry with every file that it loads, as the bundler of a user does. */
async function bundle(entry: string) {
  const bundles = await build({
    config: false,
    entry,
    format: "esm",
    platform: "neutral",
    minify: true,
    dts: false,
    // It would otherwise empty the folder that it builds to, which is that of the built package.
    clean: false,
    write: false,
    logLevel: "silent",
  });
  return bundles.flatMap((built) => built.chunks).filter((chunk) => chunk.type === "chunk");
}

/** Returns the sources that a built file consists of. The bundler marks where each of them begins. */
async function listSources(file: string): Promise<string[]> {
  const text = await readFile(file, "utf8");
  return [...text.matchAll(/^\/\/#region (.+)$/gm)].flatMap(([, source]) => source ?? []);
}

function format(count: number): string {
  return count.toLocaleString("en");
}
