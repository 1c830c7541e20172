import { createDatabase } from "@siteward/testing/engines/create-database";
import type { Database, DatabaseOptions } from "@siteward/testing/engines/database";
import { describe } from "vitest";
import type { EngineName } from "../../src/storage/engine/choose-engine.ts";
import { readJson, runInProcess } from "./run-in-process.ts";

/** A database for one test. It is deleted after the test. */
export type TestDatabase = ReturnType<typeof toTestDatabase>;

/** Creates a database without rows. */
export type TestEngine = (options?: DatabaseOptions) => Promise<TestDatabase>;

/** Every engine that the tests run on. If one is missing, this does not compile. */
export const engines = {
  sqlite: openOn("sqlite"),
  postgres: openOn("postgres"),
} as const satisfies Record<EngineName, TestEngine>;

function openOn(engine: EngineName): TestEngine {
  // No test here needs a disk.
  return async (options) => toTestDatabase(await createDatabase(engine, { inMemory: true, ...options }));
}

export function toTestDatabase(database: Database) {
  const environment = { DATABASE_URL: database.url };
  const run = (words: string | readonly string[], input?: string) => runInProcess(words, environment, input);
  return {
    databaseUrl: database.url,
    engine: database.engine,
    /** The file of SQLite. Empty for PostgreSQL. */
    path: database.file ?? "",
    /** Runs statements on the database without the program's knowledge. Returns the rows of a single one. */
    execute: database.query,
    /** Returns the faults that the engine itself finds in the database, and counts that are not exact. */
    findFaults: database.findDamage,
    environment,
    /** Runs a command of the operator on the database. */
    run,
    /** Runs one that succeeds and notes nothing, and returns what it prints as JSON. */
    operate: async (words: string | readonly string[]) =>
      readJson(await run([...(typeof words === "string" ? words.split(" ") : words), "--json"])),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

/** Runs the same tests on every engine. */
export function describeOnEveryEngine(name: string, promises: (engine: TestEngine) => void): void {
  for (const [engineName, engine] of Object.entries(engines))
    describe(`${name} (${engineName})`, () => promises(engine));
}
