import type { DatabaseSync } from "node:sqlite";
import type { FileEngine } from "../../file-engine.ts";
import { openExisting } from "../connect-sqlite.ts";
import { toInstallationError } from "../opening-error.ts";
import { requireOwnFile } from "../require-own-file.ts";
import { sqlite } from "../sqlite.ts";
import { requireFile } from "../sqlite-file.ts";
import { SqliteReadDriver } from "../sqlite-read-driver.ts";
import { copySqliteFile, readStamp } from "./copy-sqlite-file.ts";
import { findUsers } from "./find-users.ts";
import { lockSqliteFile } from "./lock-sqlite-file.ts";

const suffixes = ["-wal", "-shm", "-journal"];
const maxFaults = 10;

/** Backups of databases of SQLite. */
export const sqliteFileEngine: FileEngine = {
  dialect: sqlite,
  suffixes,
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
