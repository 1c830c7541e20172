import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { findDisagreement } from "./agreement.ts";
import type { Database, Engine, StoredRow } from "./database.ts";

/** Creates databases in files, each in its own temporary folder. */
export async function openSqlite(): Promise<Engine> {
  return {
    createDatabase: async ({ inMemory = false } = {}) => {
      const folder = await mkdtemp(join(inMemory ? await findMemoryFolder() : tmpdir(), "siteward-torture-"));
      const database = openSqliteFile(join(folder, "siteward.db"));
      return {
        ...database,
        [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
      };
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

async function findMemoryFolder(): Promise<string> {
  const space = await statfs(memoryFolder).catch(() => undefined);
  return space !== undefined && space.bavail * space.bsize >= minMemoryBytes ? memoryFolder : tmpdir();
}

const memoryFolder = process.env["TEST_SITEWARD_MEMORY"] ?? "/dev/shm";
/** A database of 5,000 sequences has 40 MB. */
const minMemoryBytes = 2 ** 30;

/** Opens a database in a file that the caller removes. */
export function openSqliteFile(file: string): Database {
  return {
    url: `file:${file}`,
    engine: "sqlite",
    file,
    query: (sql) => withFile(file, async (open) => readAll(open, sql)),
    findDamage: () =>
      withFile(file, async (open) => {
        const damage = findFileDamage(open);
        return damage.length > 0 ? damage : await findDisagreement({ query: async (sql) => readAll(open, sql) });
      }),
    [Symbol.asyncDispose]: async () => {},
  };
}

async function withFile<Result>(file: string, use: (open: DatabaseSync) => Promise<Result>): Promise<Result> {
  const open = new DatabaseSync(file, { timeout: 10_000 });
  try {
    return await use(open);
  } finally {
    open.close();
  }
}

function findFileDamage(open: DatabaseSync): string[] {
  const integrity = readAll(open, "pragma integrity_check").map((row) => String(row["integrity_check"]));
  const keys = readAll(open, "pragma foreign_key_check").map((row) => `foreign key of ${row["table"]}`);
  return [...integrity.filter((line) => line !== "ok"), ...keys, ...findSearchDamage(open)];
}

/** Compares the full-text indexes with their content. https://www.sqlite.org/fts5.html#the_integrity_check_command */
function findSearchDamage(open: DatabaseSync): string[] {
  const indexes = readAll(open, "select name from sqlite_schema where sql like 'create virtual table%using fts5%'");
  return indexes.flatMap(({ name }) => {
    try {
      open.exec(`insert into "${name}" ("${name}", rank) values ('integrity-check', 1)`);
      return [];
    } catch (error) {
      return [`full-text index ${name}: ${error instanceof Error ? error.message : error}`];
    }
  });
}

function readAll(open: DatabaseSync, sql: string): StoredRow[] {
  return open.prepare(sql).all();
}
