import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type ServerOptions, startServer, type TargetServer } from "@siteward/testing/servers/start-server";
import type { BenchDatabase } from "../engines/bench-engine.ts";
import { websiteCount } from "../engines/seeded-file.ts";
import { type Load, type LoadResult, sendLoad } from "../load/load.ts";

/** A server with its database. */
export interface Served {
  readonly server: TargetServer;
  readonly database: BenchDatabase;
}

/** The servers that are measured, each on a database that the server created: Siteward, and a reference that runs the same queries. */
export const targets = {
  siteward: startSiteward,
  express: (databaseUrl: string) => start(databaseUrl, { program: reference }),
} as const;

const reference = fileURLToPath(new URL("../references/bare-express.ts", import.meta.url));
const settleMs = 300;

export function startSiteward(databaseUrl: string, options: ServerOptions = {}): Promise<TargetServer> {
  // The limit of the trail is not 0, so that changes are counted as they are by default.
  const settings = { LOG_LEVEL: "info", SITEWARD_TRAIL_LIMIT: "1000000" };
  return start(databaseUrl, { ...options, settings });
}

async function start(databaseUrl: string, options: ServerOptions): Promise<TargetServer> {
  const server = await startServer(databaseUrl, { ...options, ignoresLog: true });
  await sleep(settleMs);
  return server;
}

/** More than one load sends. */
const numbersPerLoad = 1_000_000;
let loads = 0;

/** Sends a load to a server. Returns the results by the names of the groups. */
export function sendTo({ server, database }: Served, seconds: number, groups: Load["groups"]): Promise<LoadResult> {
  loads += 1;
  return sendLoad({
    url: server.url,
    apiKey: database.apiKey,
    seconds,
    websiteCount,
    // Websites that are there at the start have smaller numbers.
    firstNumber: 100_000_000 + loads * numbersPerLoad,
    groups,
  });
}
