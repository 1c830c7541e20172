import { describe } from "vitest";
import type { EngineName } from "../../src/storage/database/choose-dialect.ts";
import { makePostgresDatabase } from "./postgres-database.ts";
import { makeSqliteDatabase } from "./sqlite-database.ts";
import type { TestEngine } from "./test-database.ts";

/** Every engine that the tests run on. If one is missing, this does not compile. */
export const engines = {
  sqlite: makeSqliteDatabase,
  postgres: makePostgresDatabase,
} as const satisfies Record<EngineName, TestEngine>;

/** Runs the same tests on every engine. */
export function describeOnEveryEngine(name: string, promises: (engine: TestEngine) => void): void {
  for (const [engineName, engine] of Object.entries(engines))
    describe(`${name} (${engineName})`, () => promises(engine));
}
