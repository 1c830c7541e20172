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
  describeOnEach(engines, name, promises);
}

/**
 * Runs the same tests on every engine, some of them at the same time. For tests that mostly wait and share nothing. They poll
 * with `vi.waitFor`, because `expect.poll` needs to know which test runs.
 */
export function describeOnEveryEngineAtOnce(name: string, promises: (engine: TestEngine) => void): void {
  describeOnEach(engines, name, promises, { concurrent: true });
}

/**
 * Runs the same tests on every engine, and on an embedded one in both ways: a server writes on a thread of its own, and an
 * operator's command does not.
 */
export function describeOnEveryStorage(name: string, promises: (engine: TestEngine) => void): void {
  const onThread: TestEngine = async (options) => ({ ...(await makeSqliteDatabase(options)), writesOnThread: true });
  describeOnEach({ ...engines, "sqlite, written on a thread": onThread }, name, promises);
}

function describeOnEach(
  tested: Readonly<Record<string, TestEngine>>,
  name: string,
  promises: (engine: TestEngine) => void,
  options: { readonly concurrent?: boolean } = {},
): void {
  for (const [engineName, engine] of Object.entries(tested))
    describe(`${name} (${engineName})`, options, () => promises(engine));
}
