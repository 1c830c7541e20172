import { databaseBusy } from "@siteward/service";
import { insertInto } from "../engine/change.ts";
import type { Database, WriteConnection } from "../engine/database.ts";
import { listNames, sql } from "../engine/statement.ts";
import type { AuditEntryRow, Schema } from "../tables/schema.ts";

interface RowUpdate<Name extends "api_keys" | "accounts"> {
  readonly expectedVersion: number;
  readonly set: Partial<Schema[Name]>;
  /** The entry in the audit trail, which names the row and its next version. */
  readonly entry: AuditEntryRow;
}

/** Changes a row if it still has the version, and records that in the audit trail. Returns whether it had. */
export async function updateRow<Name extends "api_keys" | "accounts">(
  { write }: WriteConnection,
  table: Name,
  { expectedVersion, set, entry }: RowUpdate<Name>,
): Promise<boolean> {
  const columns = listNames(Object.keys(set), (name) => sql`${name} = :${name}`);
  const updated = await write(
    sql`update ${listNames([table])} set ${columns}, version = version + 1 where id = :id and version = :expectedVersion returning id`,
    { ...set, id: entry.subject_id, expectedVersion },
  );
  if (updated.length === 0) return false;
  await write(insertInto("audit_entries"), entry);
  return true;
}

/**
 * Every change of the number of websites, and of the keys, begins with the row of the account. Returns whether there is
 * one.
 */
export async function lockAccount({ read }: WriteConnection, { engine }: Database, id: number): Promise<boolean> {
  return (await read(sql`select id from accounts where id = :id ${engine.forUpdate}`, { id })).length > 0;
}

/** Returns the next id of a table. That of a deleted row, which the other table has, is never used again. */
export async function assignId(
  { read }: WriteConnection,
  table: "api_keys" | "accounts",
  deleted: "last_api_key_id" | "account_id",
): Promise<number> {
  const [used] = await read<{ id: number | null }>(sql`select max(id) as id from ${listNames([table])}`);
  const [gone] = await read<{ id: number | null }>(
    sql`select max(${listNames([deleted])}) as id from account_deletions`,
  );
  return Math.max(used?.id ?? 0, gone?.id ?? 0) + 1;
}

/** How often a change is decided again because somebody else changed the record in between. */
const maxAttempts = 100;

/**
 * Decides a change on the newest record and makes it, again and again until nobody changed the record in between.
 *
 * @param attempt returns `"conflict"` if somebody did, and nothing was changed
 * @throws AppError `unavailable` if the record changes too often
 */
export async function untilNoConflict<Result>(
  record: string,
  attempt: () => Promise<Result | "conflict">,
): Promise<Result> {
  for (let count = 1; count <= maxAttempts; count += 1) {
    const result = await attempt();
    if (result !== "conflict") return result;
  }
  throw databaseBusy(new Error(`${record} changed too often.`));
}
