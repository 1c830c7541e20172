import { createRequire } from "node:module";
import { join } from "node:path";

/** Finds the program to attack: the one that `TEST_SITEWARD_SERVER` names, or the built one of this repository. */
export function findServerBin(environment: NodeJS.ProcessEnv): string {
  const named = environment["TEST_SITEWARD_SERVER"];
  if (named !== undefined && named !== "") return named;
  const description = createRequire(import.meta.url).resolve("@siteward/server/package.json");
  return join(description, "../bin/siteward-server.js");
}
