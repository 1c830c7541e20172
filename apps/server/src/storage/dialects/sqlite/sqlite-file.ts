import { mkdir, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { InstallationError } from "../../installation-error.ts";
import type { DatabaseLocation } from "../dialect.ts";
import { requireSafeSqlite } from "./require-safe-sqlite.ts";

const busyTimeoutMs = 5000;
const cacheKiB = 32 * 1024;
/** A health check reads a few pages and forgets them. */
const probeCacheKiB = 256;
/** To this size the write-ahead log shrinks again after it had to grow. */
const maxIdleLogBytes = 64 * 1024 * 1024;

/** The connections to a database file. */
export interface SqliteFile {
  readonly read: DatabaseSync;
  readonly write: DatabaseSync;
  /** For health checks, with a small cache of its own. */
  readonly probe: DatabaseSync;
  /** @throws Error if the file was deleted or replaced: what is written now would be lost when the program ends */
  requireSameFile(): Promise<void>;
}

/**
 * Opens a database file three times: reads on one connection see what is committed while the other is in a transaction,
 * and health checks leave the cache of neither cold. Creates the file and its folder if there are none, for this user only.
 *
 * @throws InstallationError `invalid_url` for a URL that it does not accept, `cannot_open` with what is wrong with the file
 */
export async function openSqliteFile(location: DatabaseLocation): Promise<SqliteFile> {
  const path = readFilePath(location);
  try {
    await createFile(path);
    const write = connect(path);
    // `transact` waits for other writers without holding up the process, as waiting inside SQLite would.
    write.exec("pragma busy_timeout = 0");
    const read = connect(path);
    read.exec("pragma query_only = on");
    const probe = connect(path);
    probe.exec(`pragma query_only = on; pragma cache_size = -${probeCacheKiB}`);
    const opened = await stat(path);
    return {
      read,
      write,
      probe,
      async requireSameFile() {
        const { dev, ino } = await stat(path);
        if (dev !== opened.dev || ino !== opened.ino) throw new Error(`Another file is at ${path} than was opened.`);
      },
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InstallationError("cannot_open", `Cannot open the database file ${path}: ${reason}`, error);
  }
}

/**
 * Tells whether the file is there and holds anything: SQLite takes an empty one for a new database.
 *
 * @throws InstallationError `invalid_url` for a URL that it does not accept
 */
export async function hasSqliteFile(location: DatabaseLocation): Promise<boolean> {
  const path = readFilePath(location);
  const size = await stat(path).then(
    (file) => file.size,
    () => 0,
  );
  return size > 0;
}

/** Reads the forms `file:relative/path`, `file:/absolute/path` and `file:///absolute/path`. */
function readFilePath({ databaseUrl, setting }: DatabaseLocation): string {
  const example = 'Use a URL such as "file:./data/siteward.db"';
  const path = databaseUrl.slice("file:".length);
  if (path === "") throw invalidUrl(`${setting} is "file:", which names no file. ${example}.`);
  if (/[?#]/.test(path)) throw invalidUrl(`${setting} is ${databaseUrl}, which contains a "?" or "#". ${example}.`);
  if (path.includes(":memory:")) {
    throw invalidUrl(
      `${setting} is ${databaseUrl}, which would keep nothing, and which connections cannot share. ${example}.`,
    );
  }
  if (!path.startsWith("//")) return path;
  if (!path.startsWith("///")) throw invalidUrl(`${setting} is ${databaseUrl}, which names a host. ${example}.`);
  return fileURLToPath(databaseUrl);
}

/** Creates the file before SQLite does, which would let everybody read it; its companions take over these rights. */
async function createFile(path: string): Promise<void> {
  await refuseLogWithoutDatabase(path);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, "a", 0o600);
  await file.close();
}

/**
 * A log without its database is what is left if somebody moves the file while a program uses it. An empty database in its
 * place would take over the log and lose what is in it.
 */
async function refuseLogWithoutDatabase(path: string): Promise<void> {
  const exists = async (file: string) => (await stat(file).catch(() => undefined)) !== undefined;
  if ((await exists(`${path}-wal`)) && !(await exists(path))) {
    throw new Error(
      `it is missing, but its write-ahead log ${path}-wal is there; put the file back, or delete the log`,
    );
  }
}

function connect(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  try {
    requireSafeSqlite(String(database.prepare("select sqlite_version() as version").get()?.["version"]));
    requireWriteAheadLog(database);
    database.exec(`
      pragma synchronous = full;
      pragma secure_delete = on;
      pragma cache_size = -${cacheKiB};
      pragma journal_size_limit = ${maxIdleLogBytes};
      pragma temp_store = memory;
    `);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function requireWriteAheadLog(database: DatabaseSync): void {
  const mode = database.prepare("pragma journal_mode = wal").get()?.["journal_mode"];
  if (mode !== "wal") throw new Error("its file system cannot share memory between processes; use a local disk");
}

function invalidUrl(message: string): InstallationError {
  return new InstallationError("invalid_url", message);
}
