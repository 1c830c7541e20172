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

/** An embedded engine is used in two ways: a server writes on a thread of its own, and an operator's command does not. */
const uses: Readonly<Record<string, TestEngine>> = {
  ...engines,
  "sqlite, written on a thread": async () => ({ ...(await makeSqliteDatabase()), writesOnThread: true }),
};

/** Runs the same tests on every engine. */
export function describeOnEveryEngine(name: string, promises: (engine: TestEngine) => void): void {
  for (const [engineName, engine] of Object.entries(uses)) describe(`${name} (${engineName})`, () => promises(engine));
}
