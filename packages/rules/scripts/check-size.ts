import { dirname, join } from "node:path";
import process from "node:process";
import { measureEntry } from "../../sdk/scripts/measure-entry.ts";

/** What users download without isbot, minified and compressed by gzip. The README states it. */
const maxBytes = 8_000;

/** Checks the size of the built package. */
const { bytes } = await measureEntry(join(dirname(import.meta.dirname), "dist/index.mjs"));
console.log(`The rules have ${format(bytes)} of ${format(maxBytes)} bytes (minified, gzip, without isbot).`);
if (bytes >= maxBytes) {
  console.error(`They must have fewer than ${format(maxBytes)} bytes.`);
  process.exitCode = 1;
}

function format(count: number): string {
  return count.toLocaleString("en");
}
