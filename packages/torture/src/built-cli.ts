import { createRequire } from "node:module";
import { join } from "node:path";

/** Finds the program of the built CLI of this repository. */
export function findCliBin(): string {
  const description = createRequire(import.meta.url).resolve("@siteward/cli/package.json");
  return join(description, "../bin/siteward.js");
}
