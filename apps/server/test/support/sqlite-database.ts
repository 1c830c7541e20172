import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { inject } from "vitest";
import { findWrongCounts, type TestDatabase, type TestDatabaseOptions } from "./test-database.ts";

/** Creates a database in a file. */
export async function makeSqliteDatabase({ isMigrated = false }: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "siteward-"));
  const path = join(folder, "test.db");
  if (isMigrated) await copyFile(inject("sqliteTemplate"), path);
  return {
    databaseUrl: `file:${path}`,
    async execute(statements) {
      using database = new DatabaseSync(path, { timeout: 5000 });
      database.exec(statements);
    },
    async findFaults() {
      using database = new DatabaseSync(path, { timeout: 5000 });
      database.exec("insert into domain_parts (domain_parts) values ('integrity-check')");
      const broken = database.prepare("pragma integrity_check").all();
      const dangling = database.prepare("pragma foreign_key_check").all();
      const wrong = database.prepare(findWrongCounts).all();
      return [...broken.filter((row) => row["integrity_check"] !== "ok"), ...dangling, ...wrong];
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
