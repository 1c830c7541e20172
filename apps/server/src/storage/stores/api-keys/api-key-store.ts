import type { Scope } from "@siteward/contract";
import type { Database } from "../../database/database.ts";
import { type Placeholder, prepareQuery } from "../../database/prepared-query.ts";
import { transact } from "../../database/transact.ts";
import type { ApiKeyStore, NewApiKey, StoredApiKey } from "../../storage.ts";
import type { ApiKeyRow } from "../../tables/schema.ts";

/** By name: a statement that a server has prepared must give the same when a migration adds a column. */
const apiKeyColumns = [
  "id",
  "account_id",
  "name",
  "prefix",
  "hash",
  "scopes",
  "created_at",
  "expires_at",
  "revoked_at",
  "last_used_at",
] as const satisfies readonly (keyof ApiKeyRow)[];

/** Keeps the API keys in the database; of their texts only the hashes. */
export function createApiKeyStore(database: Database): ApiKeyStore {
  const { read } = database;
  const find = prepareQuery((argument: Placeholder<{ hash: Uint8Array }>) =>
    read.selectFrom("api_keys").select(apiKeyColumns).where("hash", "=", argument("hash")),
  );
  return {
    async findByHash(hash) {
      const [row] = await find(read, { hash });
      return row === undefined ? undefined : toApiKey(row);
    },
    async list(accountId) {
      const all = read.selectFrom("api_keys").select(apiKeyColumns).orderBy("id");
      const rows = await (accountId === undefined ? all : all.where("account_id", "=", accountId)).execute();
      return rows.map(toApiKey);
    },
    create: (key) => createApiKey(database, key),
    revoke: (prefix) => revokeApiKey(database, prefix),
    recordUse: (uses) => recordUse(database, uses),
  };
}

function createApiKey(database: Database, key: NewApiKey): Promise<StoredApiKey | undefined> {
  return transact(database, async (transaction) => {
    const account = await transaction
      .selectFrom("accounts")
      .select("id")
      .where("id", "=", key.accountId)
      .executeTakeFirst();
    if (account === undefined) return undefined;
    const { last } = await transaction
      .selectFrom("api_keys")
      .select(({ fn }) => fn.max<number | null>("id").as("last"))
      .executeTakeFirstOrThrow();
    const row: ApiKeyRow = {
      id: (last ?? 0) + 1,
      account_id: key.accountId,
      name: key.name,
      prefix: key.prefix,
      hash: key.hash,
      scopes: JSON.stringify(key.scopes),
      created_at: database.now(),
      expires_at: key.expiresAt?.getTime() ?? null,
      revoked_at: null,
      last_used_at: null,
    };
    const inserted = await transaction
      .insertInto("api_keys")
      .values(row)
      .onConflict((conflict) => conflict.column("prefix").doNothing())
      .returning("id")
      .executeTakeFirst();
    return inserted === undefined ? undefined : toApiKey(row);
  });
}

function revokeApiKey(database: Database, prefix: string): Promise<StoredApiKey | undefined> {
  return transact(database, async (transaction) => {
    const row = await transaction
      .updateTable("api_keys")
      .set(({ fn, ref, val }) => ({ revoked_at: fn.coalesce(ref("revoked_at"), val(database.now())) }))
      .where("prefix", "=", prefix)
      .returning(apiKeyColumns)
      .executeTakeFirst();
    return row === undefined ? undefined : toApiKey(row);
  });
}

async function recordUse(database: Database, uses: ReadonlyMap<number, Date>): Promise<void> {
  if (uses.size === 0) return;
  await transact(database, async (transaction) => {
    // In order, so that processes that write the same keys never wait for each other in a circle.
    for (const [id, time] of [...uses].toSorted(([left], [right]) => left - right)) {
      const usedAt = time.getTime();
      await transaction
        .updateTable("api_keys")
        .set({ last_used_at: usedAt })
        .where("id", "=", id)
        .where(({ eb, or }) => or([eb("last_used_at", "is", null), eb("last_used_at", "<", usedAt)]))
        .execute();
    }
  });
}

function toApiKey(row: ApiKeyRow): StoredApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    prefix: row.prefix,
    hash: row.hash,
    // Only `createApiKey` writes the column.
    scopes: JSON.parse(row.scopes) as Scope[],
    createdAt: new Date(row.created_at),
    expiresAt: toDate(row.expires_at),
    revokedAt: toDate(row.revoked_at),
    lastUsedAt: toDate(row.last_used_at),
  };
}

function toDate(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}
