import type { EngineName } from "@siteward/testing/engines/database";
import type { BenchEngine } from "./bench-engine.ts";
import { startPostgresEngine } from "./postgres-engine.ts";
import { startSqliteEngine } from "./sqlite-engine.ts";

const starts = {
  sqlite: startSqliteEngine,
  postgres: startPostgresEngine,
} as const satisfies Record<EngineName, (websiteCount: number) => Promise<BenchEngine>>;

/** Starts an engine whose databases have so many websites. */
export function startEngine(name: EngineName, websiteCount: number): Promise<BenchEngine> {
  return starts[name](websiteCount);
}
