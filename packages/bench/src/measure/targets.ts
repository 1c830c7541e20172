import { fileURLToPath } from "node:url";
import { serverBin } from "@siteward/testing/servers/built-programs";
import type { EngineName } from "../engines/bench-engine.ts";
import { type StartedProcess, type StartOptions, startProcess } from "../processes/started-process.ts";

/** A server that is measured: Siteward, or a reference that runs the same queries. */
export interface Target {
  readonly title: string;
  readonly engines: readonly EngineName[];
  /** Whether it differs from another target only in writes, and is measured only with them. */
  readonly isForWrites: boolean;
  readonly commandLine: (databaseUrl: string) => readonly string[];
}

/** In the order of the tables. */
export const targets = {
  siteward: {
    title: "Siteward",
    engines: ["sqlite", "postgres"],
    isForWrites: false,
    commandLine: () => [serverBin, "start", "--port", "0"],
  },
  express: {
    title: "bare Express 5",
    engines: ["sqlite", "postgres"],
    isForWrites: false,
    commandLine: (databaseUrl) => [reference("bare-express"), databaseUrl],
  },
  node: {
    title: "bare node:http",
    engines: ["sqlite", "postgres"],
    isForWrites: false,
    commandLine: (databaseUrl) => [reference("bare-node-http"), databaseUrl],
  },
  grouped: {
    title: "node:http with group commit",
    engines: ["sqlite"],
    isForWrites: true,
    commandLine: (databaseUrl) => [reference("grouped-node-http"), databaseUrl],
  },
} as const satisfies Record<string, Target>;

export type TargetName = keyof typeof targets;

// The type of the result of `keys` does not name them.
export const targetNames = Object.keys(targets) as TargetName[];

/** Benchmarks send more requests than a client should. */
const unlimited = {
  SITEWARD_RATE_LIMIT: "0",
  // Not 0, so that changes are counted as they are by default.
  SITEWARD_TRAIL_LIMIT: "1000000",
};

/** Starts a target on a database that the server created. */
export function startTarget(
  name: TargetName,
  databaseUrl: string,
  { environment = {}, ...options }: StartOptions = {},
): Promise<StartedProcess> {
  const settings = { DATABASE_URL: databaseUrl, NODE_ENV: "production", ...unlimited, ...environment };
  return startProcess(targets[name].commandLine(databaseUrl), { ...options, environment: settings });
}

function reference(name: string): string {
  return fileURLToPath(new URL(`../references/${name}.ts`, import.meta.url));
}
