import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe } from "vitest";
import type { EngineName } from "../src/storage/dialects/dialects.ts";

/** An empty database of one test, thrown away after it. */
export interface TestDatabase extends AsyncDisposable {
  readonly databaseUrl: string;
  /** Runs statements on the database behind the program's back. */
  execute(statements: string): void;
  /** What the engine itself finds wrong with the database. */
  findFaults(): unknown[];
}

/** Makes an empty database. */
export type TestEngine = () => Promise<TestDatabase>;

/** Every engine that the promises are tested on; forgetting one does not compile. */
export const engines = { sqlite: makeSqliteDatabase } as const satisfies Record<EngineName, TestEngine>;

/** Tests the same promises on every engine. */
export function describeOnEveryEngine(name: string, promises: (engine: TestEngine) => void): void {
  for (const [engineName, engine] of Object.entries(engines))
    describe(`${name} (${engineName})`, () => promises(engine));
}

async function makeSqliteDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "siteward-"));
  const path = join(folder, "test.db");
  return {
    databaseUrl: `file:${path}`,
    execute(statements) {
      using database = new DatabaseSync(path, { timeout: 5000 });
      database.exec(statements);
    },
    findFaults() {
      using database = new DatabaseSync(path, { timeout: 5000 });
      for (const index of ["website_trigrams", "website_grams"]) {
        database.exec(`insert into ${index} (${index}) values ('integrity-check')`);
      }
      const broken = database.prepare("pragma integrity_check").all();
      const dangling = database.prepare("pragma foreign_key_check").all();
      return [...broken.filter((row) => row["integrity_check"] !== "ok"), ...dangling];
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
