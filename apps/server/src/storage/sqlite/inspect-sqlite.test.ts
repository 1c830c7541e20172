import { copyFile, mkdtempDisposable, readdir, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CompiledQuery } from "kysely";
import { expect, inject, test } from "vitest";
import type { SqlQuery } from "../engine/connection.ts";
import { inspectSqlite } from "./inspect-sqlite.ts";

const versions: SqlQuery<{ count: number }> = CompiledQuery.raw("select count(*) as count from schema_migrations");

test("a file that a process opens while it is read is read again, with the log of that process", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-"));
  const path = join(folder.path, "a.db");
  await copyFile(inject("sqliteTemplate"), path);
  const inspection = await inspectSqlite({ databaseUrl: `file:${path}`, setting: "The URL" });
  const started = new DisposableStack();
  const counts: number[] = [];
  const read = await inspection.read(async (driver) => {
    const [row] = await driver.readRows(versions);
    counts.push(row?.count ?? 0);
    if (counts.length === 1) {
      const server = started.use(new DatabaseSync(path));
      server.exec("insert into schema_migrations (version, name, applied_at) values (99, 'later', 0)");
    }
    return row?.count;
  });
  expect([...counts, read]).toEqual([1, 2, 2]);
  started.dispose();
});

test("a file that a symbolic link names is read with the log next to the file, and nothing is created next to the link", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-"));
  await using links = await mkdtempDisposable(join(tmpdir(), "siteward-"));
  const path = join(folder.path, "a.db");
  await copyFile(inject("sqliteTemplate"), path);
  await symlink(path, join(links.path, "link.db"));
  using server = new DatabaseSync(path);
  server.exec("insert into schema_migrations (version, name, applied_at) values (99, 'later', 0)");
  const inspection = await inspectSqlite({ databaseUrl: `file:${join(links.path, "link.db")}`, setting: "The URL" });
  expect(await inspection.read((driver) => driver.readRows(versions))).toEqual([{ count: 2 }]);
  expect(await readdir(links.path)).toEqual(["link.db"]);
  expect((await readdir(folder.path)).toSorted()).toEqual(["a.db", "a.db-shm", "a.db-wal"]);
});
