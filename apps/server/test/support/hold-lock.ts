import pg from "pg";
import { vi } from "vitest";
import type { TestDatabase } from "./engines.ts";

/** Locks rows of PostgreSQL against everybody else until it is disposed of, as a transaction of another program does. */
export async function holdLock({ databaseUrl }: Pick<TestDatabase, "databaseUrl">, statement: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`begin; ${statement}`);
  let isOver = false;
  const release = async () => {
    if (!isOver) await client.end();
    isOver = true;
  };
  return { query: (sql: string) => client.query(sql), release, [Symbol.asyncDispose]: release };
}

/** Locks a table, as if the server that has it did not answer. */
export function lockTable(database: Pick<TestDatabase, "databaseUrl">, name: string) {
  return holdLock(database, `lock table ${name} in access exclusive mode`);
}

/** Returns how many statements in the database wait for a lock. */
export async function countBlocked({ execute }: Pick<TestDatabase, "execute">): Promise<number> {
  const blocked = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  return (await execute(blocked)).length;
}

/** Waits until one does. */
export function untilBlocked(database: Pick<TestDatabase, "execute">): Promise<boolean> {
  return vi.waitUntil(async () => (await countBlocked(database)) === 1, { timeout: 60_000, interval: 20 });
}
