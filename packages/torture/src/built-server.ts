import { createRequire } from "node:module";
import { join } from "node:path";

/** The program that is attacked: the built one of this repository, or the one that `SITEWARD_TORTURE_SERVER` names. */
export function findServerBin(environment: NodeJS.ProcessEnv): string {
  const named = environment["SITEWARD_TORTURE_SERVER"];
  if (named !== undefined && named !== "") return named;
  const description = createRequire(import.meta.url).resolve("@siteward/server/package.json");
  return join(description, "../bin/siteward-server.js");
}
