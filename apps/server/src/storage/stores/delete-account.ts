import { setTimeout } from "node:timers/promises";
import { lockAccount } from "../changes/update-row.ts";
import type { Database, WriteConnection } from "../engine/database.ts";
import { firstRows, listNames, sql } from "../engine/statement.ts";
import type { AccountStore, DeleteAccountOptions, DeletedRows } from "../interface/storage.ts";
import { tables } from "../tables/schema.ts";
import type { Table } from "../tables/table.ts";
import { revokeApiKey } from "./api-key-store.ts";

type TableName = keyof DeletedRows;

/**
 * The tables with rows of an account, in the order of deletion, and how many of each one transaction deletes at most.
 * The search index of SQLite makes those of websites slower. A change of a website adds to the audit trail and the
 * idempotency keys, so websites come first. If a table is missing, this does not compile.
 */
const maxRows: Readonly<Record<TableName, number>> = {
  websites: 200,
  idempotency_keys: 500,
  audit_entries: 500,
  api_keys: 500,
};
/** The cast is safe: these are the names above. */
const tableNames = Object.keys(maxRows) as TableName[];

/**
 * Deletes an account with everything that belongs to it, in transactions that each delete at most some hundred rows, so
 * that nothing else waits for long. API keys are revoked first. Everything else can be deleted before servers have
 * noticed: what they add meanwhile is deleted in the end.
 */
export function prepareAccountDeletion(database: Database): AccountStore["delete"] {
  return async (accountId, options) => {
    if (!(await beginDeletion(database, accountId))) return undefined;
    const validKeys = sql`select prefix from api_keys where account_id = :accountId and revoked_at is null order by id`;
    const valid = await database.primary.read<{ prefix: string }>(validKeys, { accountId });
    for (const { prefix } of valid) await revokeApiKey(database, prefix, options.by);
    const deleted = { websites: 0, idempotency_keys: 0, audit_entries: 0, api_keys: 0 };
    const deleteRows = async (names: readonly TableName[]) => {
      for (const table of names) deleted[table] += await deleteTable(database, table, accountId);
    };
    await deleteRows(tableNames.filter((table) => table !== "api_keys"));
    await waitForServers(database, accountId, options);
    do await deleteRows(tableNames);
    while (!(await removeEmptyAccount(database, accountId)));
    return deleted;
  };
}

/** Notes that the deletion began: the account gets no more API keys. Returns whether the account exists. */
function beginDeletion(database: Database, accountId: number): Promise<boolean> {
  return database.write(async (transaction) => {
    if (!(await lockAccount(transaction, database, accountId))) return false;
    await transaction.write(
      sql`insert into account_deletions (account_id, last_api_key_id, began_at)
        select :accountId, coalesce(max(id), 0), :now from api_keys where account_id = :accountId
        on conflict (account_id) do nothing`,
      { accountId, now: database.now() },
    );
    return true;
  });
}

/** Deletes all rows of a table in short transactions, and returns how many. */
async function deleteTable(database: Database, table: TableName, accountId: number): Promise<number> {
  for (let deleted = 0; ; ) {
    const startMs = performance.now();
    const rows = await database.write((transaction) => deleteSomeRows(transaction, database, table, accountId));
    if (rows === 0) return deleted;
    deleted += rows;
    // Of passwords and API keys, not even the hashes stay.
    database.eraseDeletedSoon();
    // Other changes of SQLite get as much time as the deletion.
    await setTimeout(performance.now() - startMs);
  }
}

/** Deletes the first rows of an account in order of the key, and returns how many. Websites are no longer counted. */
async function deleteSomeRows(transaction: WriteConnection, database: Database, name: TableName, accountId: number) {
  const { read, write } = transaction;
  await lockAccount(transaction, database, accountId);
  const table: Table = tables[name];
  const columns = table.key.filter((column) => column !== "account_id");
  const key = listNames(columns);
  const ofAccount = sql`${listNames([name])} where account_id = :accountId`;
  const last = sql`select ${key} from ${ofAccount} order by ${key} ${firstRows(1, maxRows[name] - 1)}`;
  const [end] = await read<object>(last, { accountId });
  const isFirst = end === undefined ? sql`true` : sql`(${key}) <= (${listNames(columns, (column) => sql`:${column}`)})`;
  const remove = sql`delete from ${ofAccount} and ${isFirst} returning ${key}`;
  const removed = await write<{ id: number }>(remove, { accountId, ...end });
  if (name !== "websites" || removed.length === 0) return removed.length;
  const count = sql`update accounts set website_count = website_count - :count where id = :accountId`;
  await write(count, { accountId, count: removed.length });
  const ids = removed.map(({ id }) => id);
  const range = { lowest: Math.min(...ids), highest: Math.max(...ids) };
  await database.websiteSearch.removeRange(transaction, accountId, range);
  return removed.length;
}

/** Waits until no server accepts a key of the account any more. */
async function waitForServers(database: Database, accountId: number, options: DeleteAccountOptions): Promise<void> {
  const { revocationMs, onWait } = options;
  const newest = sql`select max(revoked_at) as at from api_keys where account_id = :accountId`;
  const [last] = await database.primary.read<{ at: number | null }>(newest, { accountId });
  if (last === undefined || last.at === null) return;
  // If the clock was set back since, the revocation seems to be in the future.
  const waitMs = Math.min(last.at + revocationMs - database.now(), revocationMs);
  if (waitMs <= 0) return;
  onWait?.();
  await setTimeout(waitMs);
}

/** Deletes the row of an account if nothing else of it is left, and returns whether it did. */
function removeEmptyAccount(database: Database, accountId: number): Promise<boolean> {
  return database.write(async (transaction) => {
    const { read, write } = transaction;
    await lockAccount(transaction, database, accountId);
    for (const table of tableNames) {
      const row = sql`select account_id from ${listNames([table])} where account_id = :accountId limit 1`;
      if ((await read(row, { accountId })).length > 0) return false;
    }
    await write(sql`delete from accounts where id = :accountId`, { accountId });
    return true;
  });
}
