import { resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { FileEngine } from "../../file-engine.ts";
import { openExisting } from "../connect-sqlite.ts";
import { toInstallationError } from "../opening-error.ts";
import { requireOwnFile } from "../require-own-file.ts";
import { sqlite } from "../sqlite.ts";
import { SqliteConnection } from "../sqlite-connection.ts";
import { requireFile } from "../sqlite-file.ts";
import { SqliteReadDriver } from "../sqlite-read-driver.ts";
import { readSqliteUrl } from "../sqlite-url.ts";
import { sqliteWebsiteSearch } from "../sqlite-website-search.ts";
import { copySqliteFile, readStamp } from "./copy-sqlite-file.ts";
import { findUsers } from "./find-users.ts";
import { lockSqliteFile } from "./lock-sqlite-file.ts";

const suffixes = ["-wal", "-shm", "-journal"];
const maxFaults = 10;
const fillCacheKiB = 64 * 1024;

/** Backups of databases of SQLite. */
export const sqliteFileEngine: FileEngine = {
  dialect: sqlite,
  websiteSearch: sqliteWebsiteSearch,
  suffixes,
  nameOf: (location) => resolve(readSqliteUrl(location)),
  async measure(path) {
    await requireFile(path).catch((error: unknown) => {
      throw toInstallationError(path, error);
    });
    return withFile(path, (database) => {
      requireOwnFile(database, path, { mustExist: true });
      const read = (name: string) => Number(database.prepare(`pragma ${name}`).get()?.[name]);
      return (read("page_count") - read("freelist_count")) * read("page_size");
    });
  },
  copy: copySqliteFile,
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
  openCopy(copy) {
    return withFile(
      copy,
      (database) => {
        requireOwnFile(database, copy, { mustExist: true });
        return {
          read: new SqliteReadDriver(database),
          madeAt: readStamp(database),
          [Symbol.dispose]: () => database.close(),
        };
      },
      { staysOpen: true },
    );
  },
  prepare(copy) {
    withFile(copy, (database) => database.exec("pragma user_version = 0; pragma journal_mode = wal"));
  },
  async fill(path, work) {
    const database = openExisting(path);
    try {
      const connection = new SqliteConnection(database);
      // Nobody needs a journal or a sync before the file has its name.
      database.exec(
        `pragma journal_mode = off; pragma synchronous = off; pragma temp_store = memory; pragma cache_size = -${fillCacheKiB}`,
      );
      connection.run("begin");
      const result = await work(connection);
      connection.run("commit");
      return result;
    } finally {
      database.close();
    }
  },
  findUsers: (path) => findUsers([path, ...suffixes.map((suffix) => `${path}${suffix}`)]),
  lock(path) {
    try {
      return lockSqliteFile(path);
    } catch (error) {
      throw toInstallationError(path, error);
    }
  },
};

function withFile<Result>(
  path: string,
  use: (database: DatabaseSync) => Result,
  { staysOpen = false }: { readonly staysOpen?: boolean } = {},
): Result {
  let database: DatabaseSync | undefined;
  let isDone = false;
  try {
    database = openExisting(path);
    const result = use(database);
    isDone = true;
    return result;
  } catch (error) {
    throw toInstallationError(path, error);
  } finally {
    if (!(isDone && staysOpen)) database?.close();
  }
}
