import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import type { Database, WriteConnection } from "../engine/database.ts";
import type { AccountStore, DeleteAccountOptions, DeletedRows } from "../interface/storage.ts";
import { tables } from "../tables/schema.ts";
import type { Table } from "../tables/table.ts";
import { revokeApiKey } from "./api-key-store.ts";
import { lockAccount } from "./update-row.ts";

type TableName = keyof DeletedRows;

/**
 * The tables with rows of an account, in the order of deletion. A change of a website adds to the audit trail and the
 * idempotency keys, so websites come first. If a table is missing, this does not compile.
 */
const nothingDeleted: Readonly<Record<TableName, number>> = {
  websites: 0,
  idempotency_keys: 0,
  audit_entries: 0,
  api_keys: 0,
};
/** The cast is safe: these are the names above. */
const tableNames = Object.keys(nothingDeleted) as TableName[];

/** How many rows one transaction deletes at most. The search index of SQLite makes those of websites slower. */
const maxRows = { websites: 200, others: 500 } as const;
const maxKeys = 50;

/**
 * Deletes an account with everything that belongs to it, in transactions that each delete at most some hundred rows, so
 * that nothing else waits for long. API keys are revoked first. Everything else can be deleted before servers have
 * noticed: what they add meanwhile is deleted in the end.
 */
export function prepareAccountDeletion(database: Database): AccountStore["delete"] {
  return async (accountId, options) => {
    if (!(await beginDeletion(database, accountId))) return undefined;
    for (;;) {
      const prefixes = await findValidKeys(database, accountId);
      for (const prefix of prefixes) await revokeApiKey(database, prefix, options.by);
      if (prefixes.length === 0) break;
    }
    const deleted = { ...nothingDeleted };
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
    const { build, read, write } = transaction;
    const ids = build.selectFrom("api_keys").select(({ fn }) => fn.max<number | null>("id").as("id"));
    const [newest] = await read(ids.where("account_id", "=", accountId));
    const row = { account_id: accountId, last_api_key_id: newest?.id ?? 0, began_at: database.now() };
    const insert = build.insertInto("account_deletions").values(row);
    await write(insert.onConflict((conflict) => conflict.column("account_id").doNothing()));
    return true;
  });
}

async function findValidKeys({ build, primary }: Database, accountId: number): Promise<string[]> {
  const keys = build.selectFrom("api_keys").select("prefix").where("account_id", "=", accountId);
  const found = await primary.read(keys.where("revoked_at", "is", null).orderBy("id").limit(maxKeys));
  return found.map(({ prefix }) => prefix);
}

/** Deletes all rows of a table in short transactions, and returns how many. */
async function deleteTable(database: Database, table: TableName, accountId: number): Promise<number> {
  for (let deleted = 0; ; ) {
    const startMs = performance.now();
    const rows = await database.write((transaction) =>
      table === "websites"
        ? deleteSomeWebsites(transaction, database, accountId)
        : deleteSomeRows(transaction, table, accountId),
    );
    if (rows === 0) return deleted;
    deleted += rows;
    // Of passwords and API keys, not even the hashes stay.
    database.eraseDeletedSoon();
    // Other changes of SQLite get as much time as the deletion.
    await setTimeout(performance.now() - startMs);
  }
}

/** Deletes the first websites of an account, and returns how many. */
async function deleteSomeWebsites(transaction: WriteConnection, database: Database, accountId: number) {
  const { build, read, write } = transaction;
  await lockAccount(transaction, database, accountId);
  const ofAccount = build.selectFrom("websites").select("id").where("account_id", "=", accountId);
  const ids = (await read(ofAccount.orderBy("id").limit(maxRows.websites))).map(({ id }) => id);
  const [lowest, highest] = [ids[0], ids.at(-1)];
  if (lowest === undefined || highest === undefined) return 0;
  const account = build.updateTable("accounts").where("id", "=", accountId);
  await write(account.set((column) => ({ website_count: column("website_count", "-", ids.length) })));
  const remove = build.deleteFrom("websites").where("account_id", "=", accountId);
  await write(remove.where("id", ">=", lowest).where("id", "<=", highest));
  await database.websiteSearch.removeRange(transaction, accountId, { lowest, highest });
  return ids.length;
}

/** Deletes the first rows of an account in order of the key, and returns how many. */
async function deleteSomeRows({ read, write }: WriteConnection, name: TableName, accountId: number): Promise<number> {
  const table: Table = tables[name];
  const key = sql.join(table.key.filter((column) => column !== "account_id").map((column) => sql.ref(column)));
  const ofAccount = sql`${sql.table(name)} where account_id = ${accountId}`;
  const last = sql<object>`select ${key} from ${ofAccount} order by ${key} limit 1 offset ${sql.lit(maxRows.others - 1)}`;
  const [end] = await read(last);
  const isFirst = end === undefined ? sql`true` : sql`(${key}) <= (${sql.join(Object.values(end))})`;
  return (await write(sql`delete from ${ofAccount} and ${isFirst} returning account_id`)).length;
}

/** Waits until no server accepts a key of the account any more. */
async function waitForServers(database: Database, accountId: number, options: DeleteAccountOptions): Promise<void> {
  const { revocationMs, onWait } = options;
  const times = database.build.selectFrom("api_keys").select(({ fn }) => fn.max<number | null>("revoked_at").as("at"));
  const [last] = await database.primary.read(times.where("account_id", "=", accountId));
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
    const { build, read, write } = transaction;
    await lockAccount(transaction, database, accountId);
    for (const table of tableNames) {
      const row = build.selectFrom(table).select("account_id").where("account_id", "=", accountId).limit(1);
      if ((await read(row)).length > 0) return false;
    }
    await write(build.deleteFrom("accounts").where("id", "=", accountId));
    return true;
  });
}
