import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { Engine } from "../engine/engine.ts";
import { locateSqlite, openOwnFile, replicasUnsupported, statIfExists } from "./open-sqlite.ts";
import { SqliteReader } from "./sqlite-connection.ts";
import { requireWritable } from "./write-refusal.ts";

/** While a server starts or stops, its log is created or deleted at most once. */
const maxAttempts = 3;
const busyTimeoutMs = 2_000;

/** Looks at a database file. No byte of it, or of its log, is changed. */
export const inspectSqlite: Engine["inspect"] = async (location, [replica]) => {
  const { path } = await locateSqlite(location);
  const folder = dirname(path);
  return {
    name: `database file ${path}`,
    folder,
    read: (work) => readUndisturbed(path, work),
    requireWritable: async () => requireWritable(path),
    async readFiles() {
      const files = await Promise.all([path, `${path}-wal`, `${path}-shm`, folder].map(describeFile));
      return files.filter((file) => file !== undefined);
    },
    readClock: async () => undefined,
    async readReplicas() {
      if (replica !== undefined) throw replicasUnsupported(replica);
      return [];
    },
    async close() {},
  };
};

/**
 * Without a log, no process has the file open. Then SQLite reads it as a file that nobody changes, because it would
 * otherwise create a log and leave it there. If a process opened the file meanwhile, what was read may be wrong, so it
 * is read again.
 */
async function readUndisturbed<Result>(path: string, work: (driver: SqliteReader) => Promise<Result>): Promise<Result> {
  const hasLog = async () => (await statIfExists(`${path}-wal`)) !== undefined;
  for (let attempt = 1; ; attempt += 1) {
    const isUsed = await hasLog();
    try {
      const driver = await openOwnFile(
        path,
        () => openToRead(path, isUsed),
        (database) => new SqliteReader(database),
      );
      const result = await work(driver).finally(() => driver.close());
      if (isUsed || !(await hasLog())) return result;
    } catch (error) {
      if (isUsed === (await hasLog()) || attempt === maxAttempts) throw error;
    }
  }
}

function openToRead(path: string, isUsed: boolean): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set("mode", "ro");
  if (!isUsed) url.searchParams.set("immutable", "1");
  return new DatabaseSync(url, { readOnly: true, timeout: busyTimeoutMs });
}

async function describeFile(path: string) {
  const found = await statIfExists(path);
  return found && { path, isFolder: found.isDirectory(), owner: found.uid, mode: found.mode & 0o7777 };
}
