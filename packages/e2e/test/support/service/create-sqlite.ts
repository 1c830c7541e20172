import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { findMemoryFolder } from "./find-memory-folder.ts";
import type { NewDatabase, ServiceDatabase } from "./service-database.ts";

/** Creates a database of SQLite in a file. */
export async function createSqlite(): Promise<NewDatabase> {
  const folder = await mkdtemp(join(await findMemoryFolder(), "siteward-e2e-"));
  const path = join(folder, "siteward.db");
  return {
    url: `file:${path}`,
    open: async () => openSqlite(path),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

function openSqlite(path: string): ServiceDatabase {
  const database = new DatabaseSync(path, { timeout: 30_000 });
  // What the server has acknowledged stays durable: this is only about the rows that are written here.
  database.exec("pragma synchronous = off");
  return {
    async readFirst(table) {
      const row = database.prepare(`select * from ${table} order by id limit 1`).get();
      if (row === undefined) throw new Error(`The table ${table} is empty.`);
      return row;
    },
    insert(table, row) {
      const columns = Object.keys(row);
      const values = columns.map((name) => `:${name}`).join();
      database.prepare(`insert into ${table} (${columns.join()}) values (${values})`).run(row);
    },
    execute: (statement) => database.exec(statement),
    written: () => Promise.resolve(),
    [Symbol.asyncDispose]: async () => database.close(),
  };
}
