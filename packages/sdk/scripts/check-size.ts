import { dirname, join } from "node:path";
import process from "node:process";
import { measureEntry } from "./measure-entry.ts";

/** Sources of the testing entry and of what only it may bundle. */
const ofTesting = /^src\/testing\b|^\.\.\/service\/|\/schemas\/|node_modules\//;

/** What users download for an entry, minified and compressed by gzip, which the README states, and what it must not contain. */
const limits = [
  { name: "index", maxBytes: 10_250, foreign: [ofTesting, /^src\/mirror\//] },
  { name: "mirror", maxBytes: 6_750, foreign: [ofTesting, /^src\/(request|retry|resources)\//] },
];

/** Checks built entries: their sizes, and that they contain nothing of other entries, even if they share files. */
for (const { name, maxBytes, foreign } of limits) {
  const { bytes, sources } = await measureEntry(join(dirname(import.meta.dirname), `dist/${name}.mjs`));
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

function format(count: number): string {
  return count.toLocaleString("en");
}
