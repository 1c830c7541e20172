import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { InstallationError } from "../../interface/installation-error.ts";
import type { DatabaseLocation, DialectInspection } from "../dialect.ts";
import { readFreeBytes } from "../free-bytes.ts";
import { requireSafeEngine } from "./connect-sqlite.ts";
import { findSqliteFile } from "./find-sqlite-file.ts";
import { describeWriteRefusal, findWriteRefusal } from "./find-write-refusal.ts";
import { measureSyncMs } from "./measure-sync.ts";
import { toInstallationError } from "./opening-error.ts";
import { replicasUnsupported } from "./replicas-unsupported.ts";
import { requireOwnFile } from "./require-own-file.ts";
import { requireFile } from "./sqlite-file.ts";
import { SqliteReader } from "./sqlite-reader.ts";

/** While a server starts or stops, its log is created or deleted at most once. */
const maxAttempts = 3;
const busyTimeoutMs = 2_000;

/** Looks at a database file. No byte of it, or of its log, is changed. */
export async function inspectSqlite(location: DatabaseLocation): Promise<DialectInspection> {
  const path = await findSqliteFile(location);
  return {
    name: `database file ${path}`,
    isFile: true,
    requireSafeEngine,
    read: (work) => readUndisturbed(path, work),
    async requireWritable() {
      const refusal = findWriteRefusal(path);
      if (refusal !== undefined) throw new InstallationError("read_only", describeWriteRefusal(path, refusal));
    },
    measureWriteMs: () => measureSyncMs(`${path}-doctor`),
    async readFiles() {
      const paths = [path, `${path}-wal`, `${path}-shm`, dirname(path)];
      return (await Promise.all(paths.map(describeFile))).filter((file) => file !== undefined);
    },
    async readFreeBytes() {
      const folder = dirname(path);
      const freeBytes = await readFreeBytes(folder);
      return freeBytes === undefined ? undefined : { folder, freeBytes };
    },
    readClock: async () => undefined,
    primaryPosition: () => Promise.reject(new Error("A file has no replicas.")),
    async openReplicas([replica]) {
      if (replica !== undefined) throw replicasUnsupported(replica);
      return [];
    },
    async close() {},
  };
}

/**
 * Without a log, no process has the file open. Then SQLite reads it as a file that nobody changes, because it would otherwise create
 * a log and leave it there. If a process opened the file meanwhile, what was read may be wrong, so it is read again.
 */
async function readUndisturbed<Result>(path: string, work: (driver: SqliteReader) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const isUsed = await hasLog(path);
    try {
      const driver = await openReader(path, { isUsed });
      const result = await work(driver).finally(() => driver.close());
      if (isUsed || !(await hasLog(path))) return result;
    } catch (error) {
      if (isUsed === (await hasLog(path)) || attempt === maxAttempts) throw error;
    }
  }
}

async function openReader(path: string, { isUsed }: { readonly isUsed: boolean }): Promise<SqliteReader> {
  try {
    await requireFile(path);
    const url = pathToFileURL(path);
    url.searchParams.set("mode", "ro");
    if (!isUsed) url.searchParams.set("immutable", "1");
    const database = new DatabaseSync(url, { readOnly: true, timeout: busyTimeoutMs });
    try {
      requireOwnFile(database, path, { mustExist: true });
      return new SqliteReader(database);
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw toInstallationError(path, error);
  }
}

async function hasLog(path: string): Promise<boolean> {
  return (await describeFile(`${path}-wal`)) !== undefined;
}

/** Undefined if there is no such file, or if this user may not enter its folder. */
async function describeFile(path: string) {
  const found = await stat(path).catch(() => undefined);
  return found && { path, isFolder: found.isDirectory(), owner: found.uid, mode: found.mode & 0o7777 };
}
