import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "../../database/database.ts";
import type { AccountStore, DeleteAccountOptions, DeletedRows } from "../../interface/storage.ts";
import { beginDeletion } from "./begin-deletion.ts";
import { deleteSomeRows, deleteSomeWebsites } from "./delete-some.ts";
import { removeEmptyAccount } from "./remove-empty-account.ts";
import { prepareRevokeKeys } from "./revoke-keys.ts";

/** Deletes some rows of an account in one transaction, and returns how many. It is 0 if there are none. */
type DeleteSome = (database: Database, accountId: number) => Promise<number>;

/**
 * How to delete the rows of each table, in this order. A change of a website adds to the audit trail and the idempotency keys, so
 * websites come first.
 */
const steps = {
  websites: deleteSomeWebsites,
  idempotency_keys: (database, accountId) => deleteSomeRows(database, "idempotency_keys", accountId),
  audit_entries: (database, accountId) => deleteSomeRows(database, "audit_entries", accountId),
  api_keys: (database, accountId) => deleteSomeRows(database, "api_keys", accountId),
} as const satisfies Record<keyof DeletedRows, DeleteSome>;

/** The cast is safe: these are the names of the steps. */
const tables = Object.keys(steps) as (keyof typeof steps)[];

/**
 * Deletes an account with everything that belongs to it, in transactions that each delete at most some hundred rows, so that
 * nothing else waits for long. API keys are revoked first. Everything else can be deleted before servers have noticed: what
 * they add meanwhile is deleted in the end.
 */
export function prepareAccountDeletion(database: Database): AccountStore["delete"] {
  const revokeKeys = prepareRevokeKeys(database);
  return async (accountId, options) => {
    const { by, signal } = options;
    if (!(await database.write((transaction) => beginDeletion(transaction, database, accountId)))) return undefined;
    while ((await revokeKeys(accountId, by)) > 0) await pause(signal);
    const run = new Run(database, accountId, options);
    await run.deleteRows(tables.filter((table) => table !== "api_keys"));
    await waitForServers(database, accountId, options);
    do await run.deleteRows(tables);
    while (!(await database.write((transaction) => removeEmptyAccount(transaction, database, accountId))));
    return run.deleted;
  };
}

/** Waits until no server accepts a key of the account any more. */
async function waitForServers(
  database: Database,
  accountId: number,
  { revocationMs, onWait, signal }: DeleteAccountOptions,
): Promise<void> {
  const revokedAt = await findLastRevocation(database, accountId);
  if (revokedAt === undefined) return;
  // If the clock was set back since, the revocation seems to be in the future.
  const waitMs = Math.min(revokedAt + revocationMs - database.now(), revocationMs);
  if (waitMs <= 0) return;
  onWait?.();
  await setTimeout(waitMs, undefined, signal === undefined ? {} : { signal });
}

/** Queries of an embedded database block the event loop, so the process would not receive signals. */
async function pause(signal: AbortSignal | undefined, ms = 0): Promise<void> {
  await setTimeout(ms);
  signal?.throwIfAborted();
}

/** One run of a deletion, which counts what it deletes. */
class Run {
  readonly deleted: Record<keyof DeletedRows, number> = {
    websites: 0,
    idempotency_keys: 0,
    audit_entries: 0,
    api_keys: 0,
  };
  readonly #totals = new Map<keyof DeletedRows, number>();
  readonly #database: Database;
  readonly #accountId: number;
  readonly #options: DeleteAccountOptions;

  constructor(database: Database, accountId: number, options: DeleteAccountOptions) {
    this.#database = database;
    this.#accountId = accountId;
    this.#options = options;
  }

  async deleteRows(names: readonly (keyof DeletedRows)[]): Promise<void> {
    for (const table of names) {
      const total = this.#totals.get(table) ?? (await countRows(this.#database, table, this.#accountId));
      this.#totals.set(table, total);
      await this.#deleteTable(table, total);
    }
  }

  async #deleteTable(table: keyof DeletedRows, total: number): Promise<void> {
    const { onProgress, signal } = this.#options;
    for (;;) {
      const startMs = performance.now();
      const rows = await steps[table](this.#database, this.#accountId);
      if (rows === 0) return;
      this.deleted[table] += rows;
      // Of passwords and API keys, not even the hashes stay.
      this.#database.eraseDeletedSoon();
      const done = this.deleted[table];
      // A server may have added rows since they were counted.
      onProgress?.({ table, done, total: Math.max(done, total) });
      // Other changes of SQLite get as much time as the deletion.
      await pause(signal, performance.now() - startMs);
    }
  }
}

/** Counting a million rows takes some tenths of a second. It is only for the progress. */
const maxRows = 1_000_000;

/** Counts the rows of an account, up to a million. */
async function countRows({ primary }: Database, table: keyof DeletedRows, accountId: number): Promise<number> {
  const rows = sql`select 1 from ${sql.table(table)} where account_id = ${accountId} limit ${sql.lit(maxRows)}`;
  const [counted] = await primary.read(sql<{ total: number }>`select count(*) as total from (${rows}) as counted`);
  return counted?.total ?? 0;
}

/** Returns when the last key of an account was revoked, in milliseconds since 1970, or undefined if it has no keys. */
async function findLastRevocation({ build, primary }: Database, accountId: number): Promise<number | undefined> {
  const [last] = await primary.read(
    build
      .selectFrom("api_keys")
      .select(({ fn }) => fn.max<number | null>("revoked_at").as("at"))
      .where("account_id", "=", accountId),
  );
  return last?.at ?? undefined;
}
