import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const list = fileURLToPath(new URL("./test-durations.json", import.meta.url));

/** How long each test file took when `SITEWARD_TEST_WRITE_DURATIONS=1 pnpm test` ran last, in seconds, by its path in the repository. */
export type TestDurations = Readonly<Record<string, number>>;

export function readTestDurations(): TestDurations {
  return JSON.parse(readFileSync(list, "utf8"));
}

/** Writes the durations of at least half a second, the longest first. The others change the order of the files by nothing. */
export function writeTestDurations(durations: TestDurations): void {
  const long = Object.entries(durations).filter(([, seconds]) => seconds >= 0.5);
  const sorted = long.toSorted(([, left], [, right]) => right - left);
  writeFileSync(list, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

/** Returns the path by which a file is in the list. */
export function toListedPath(file: string): string {
  return relative(root, file);
}
