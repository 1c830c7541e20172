import { dirname, join } from "node:path";
import process from "node:process";
import { measureEntry } from "./measure-entry.ts";

/** What users download for the main entry, minified and compressed by gzip. The README states it. */
const maxBytes = 10_250;
/** Sources of the testing entry and of what only it may bundle. */
const ofTesting = /^src\/testing\b|^\.\.\/service\/|\/schemas\/|node_modules\//;

/** Checks the built main entry: its size, and that it contains nothing of the testing entry, even if the two share files. */
const { bytes, sources } = await measureEntry(join(dirname(import.meta.dirname), "dist/index.mjs"));
const faults = [
  ...(bytes < maxBytes ? [] : [`It must have fewer than ${format(maxBytes)} bytes.`]),
  ...(sources.includes("src/siteward.ts") ? [] : ["The build does not say which sources it contains."]),
  ...sources.filter((source) => ofTesting.test(source)).map((source) => `It must not contain ${source}.`),
];
console.log(`The main entry has ${format(bytes)} of ${format(maxBytes)} bytes (minified, gzip).`);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;

function format(count: number): string {
  return count.toLocaleString("en");
}
