import type { BenchEngine, EngineName } from "./bench-engine.ts";
import { startPostgresEngine } from "./postgres-engine.ts";
import { startSqliteEngine } from "./sqlite-engine.ts";

const starts = {
  sqlite: startSqliteEngine,
  postgres: startPostgresEngine,
} as const satisfies Record<EngineName, () => Promise<BenchEngine>>;

/** Starts an engine without databases. */
export function startEngine(name: EngineName): Promise<BenchEngine> {
  return starts[name]();
}
