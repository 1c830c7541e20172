import { resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { FileEngine } from "../file-engine.ts";
import { existingUrl, openExisting } from "./connect-sqlite.ts";
import { lockFile } from "./lock-file.ts";
import { toInstallationError } from "./opening-error.ts";
import { requireOwnFile } from "./require-own-file.ts";
import { sqlite } from "./sqlite.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import { requireFile } from "./sqlite-file.ts";
import { SqliteReader } from "./sqlite-reader.ts";
import { readSqliteUrl } from "./sqlite-url.ts";
import { sqliteWebsiteSearch } from "./sqlite-website-search.ts";

const maxFaults = 10;
const fillCacheKiB = 64 * 1024;

/** Files of SQLite, for backups and copies. */
export const sqliteFileEngine: FileEngine = {
  dialect: sqlite,
  websiteSearch: sqliteWebsiteSearch,
  suffixes: ["-wal", "-shm", "-journal"],
  nameOf: (location) => resolve(readSqliteUrl(location)),
  async open(path) {
    let database: DatabaseSync | undefined;
    try {
      await requireFile(path);
      database = openExisting(path);
      requireOwnFile(database, path, { mustExist: true });
      return toOpenFile(database);
    } catch (error) {
      database?.close();
      throw toInstallationError(path, error);
    }
  },
  findDamage(copy) {
    const database = openExisting(copy);
    try {
      const integrity = database.prepare(`pragma integrity_check(${maxFaults})`).all();
      const lines = integrity.map((row) => String(row["integrity_check"])).filter((line) => line !== "ok");
      const keys = database.prepare('select "table" from pragma_foreign_key_check limit ?').all(maxFaults);
      return [...lines, ...keys.map((row) => `a row of ${row["table"]} refers to a row that is missing`)];
    } finally {
      database.close();
    }
  },
  prepare: (copy) => execute(copy, "pragma user_version = 0; pragma journal_mode = wal"),
  async fill(path, work) {
    const database = openExisting(path);
    try {
      const connection = new SqliteConnection(database);
      // Nobody needs a journal or a sync before the file has its name.
      database.exec(`
        pragma journal_mode = off;
        pragma synchronous = off;
        pragma temp_store = memory;
        pragma cache_size = -${fillCacheKiB};
      `);
      connection.run("begin");
      const result = await work({ execute: async (query) => connection.execute(query) });
      connection.run("commit");
      return result;
    } finally {
      database.close();
    }
  },
  lock(path, options) {
    try {
      return lockFile(path, options);
    } catch (error) {
      throw toInstallationError(path, error);
    }
  },
};

function toOpenFile(database: DatabaseSync): Awaited<ReturnType<FileEngine["open"]>> {
  const read = (name: string) => Number(database.prepare(`pragma ${name}`).get()?.[name]);
  const stamp = read("user_version");
  return {
    read: new SqliteReader(database),
    bytes: (read("page_count") - read("freelist_count")) * read("page_size"),
    madeAt: stamp === 0 ? undefined : new Date((stamp >>> 0) * 1000),
    /**
     * SQLite's function for backups would begin again after each change of another process: next to 5 changes a second,
     * it did not end. This one took 1.4 s for 196 MB next to a busy writer, which it does not hold up.
     */
    copyInto(path, madeAt) {
      // SQLite never creates the copy, which everybody could read.
      database.prepare("vacuum into ?").run(existingUrl(path).href);
      // Siteward does not use this number for anything else. It has 32 bits: enough for the seconds until 2106. The
      // copy is not complete yet, so it needs no journal.
      execute(path, `pragma journal_mode = memory; pragma user_version = ${Math.floor(madeAt.getTime() / 1000) | 0}`);
    },
    [Symbol.dispose]: () => database.close(),
  };
}

function execute(path: string, statements: string): void {
  const database = openExisting(path);
  try {
    database.exec(statements);
  } finally {
    database.close();
  }
}
