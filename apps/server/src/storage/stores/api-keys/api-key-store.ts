import type { Scope } from "@siteward/contract";
import type { Database } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import type { ApiKeyStore, NewApiKey, StoredApiKey } from "../../storage.ts";
import { apiKeys } from "../../tables/api-keys.ts";
import type { ApiKeyRow } from "../../tables/schema.ts";
import { columnNames } from "../../tables/table.ts";
import { createKeyUseWriter, type KeyUseWriter } from "./key-use-writer.ts";

/**
 * Creates the store of API keys. It stores only the hash of a key, never the key itself.
 *
 * @param writer writes when keys were used. By default it does so through `database`.
 */
export function createApiKeyStore(
  database: Database,
  writer: KeyUseWriter = createKeyUseWriter(database),
): ApiKeyStore {
  const { build, primary } = database;
  const select = () => build.selectFrom("api_keys").select(columnNames(apiKeys));
  const findByHash = prepare((value: Placeholder<{ hash: Uint8Array }>) => select().where("hash", "=", value("hash")));
  return {
    async findByHash(hash) {
      const [row] = await primary.read(findByHash({ hash }));
      return row === undefined ? undefined : toApiKey(row);
    },
    async list(accountId) {
      const all = select().orderBy("id");
      const rows = await primary.read(accountId === undefined ? all : all.where("account_id", "=", accountId));
      return rows.map(toApiKey);
    },
    create: (key) => createApiKey(database, key),
    revoke: (prefix) => revokeApiKey(database, prefix),
    recordUse: (uses) => writer.recordKeyUse(uses),
  };
}

function createApiKey(database: Database, key: NewApiKey): Promise<StoredApiKey | undefined> {
  const { build } = database;
  return database.write(async (transaction) => {
    const [account] = await transaction.read(build.selectFrom("accounts").select("id").where("id", "=", key.accountId));
    if (account === undefined) return undefined;
    const [newest] = await transaction.read(
      build.selectFrom("api_keys").select(({ fn }) => fn.max<number | null>("id").as("id")),
    );
    const row: ApiKeyRow = {
      id: (newest?.id ?? 0) + 1,
      account_id: key.accountId,
      name: key.name,
      prefix: key.prefix,
      hash: key.hash,
      scopes: JSON.stringify(key.scopes),
      rate_limit: key.rateLimit,
      version: 1,
      created_at: database.now(),
      expires_at: key.expiresAt?.getTime() ?? null,
      revoked_at: null,
      last_used_at: null,
    };
    const insert = build.insertInto("api_keys").values(row);
    const inserted = await transaction.write(
      insert.onConflict((conflict) => conflict.column("prefix").doNothing()).returning("id"),
    );
    return inserted.length === 0 ? undefined : toApiKey(row);
  });
}

function revokeApiKey(database: Database, prefix: string): Promise<StoredApiKey | undefined> {
  const { build } = database;
  return database.write(async (transaction) => {
    const [row] = await transaction.write(
      build
        .updateTable("api_keys")
        .set(({ fn, ref, val }) => ({ revoked_at: fn.coalesce(ref("revoked_at"), val(database.now())) }))
        .where("prefix", "=", prefix)
        .returning(columnNames(apiKeys)),
    );
    return row === undefined ? undefined : toApiKey(row);
  });
}

function toApiKey(row: ApiKeyRow): StoredApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    prefix: row.prefix,
    hash: row.hash,
    // The cast is safe: only `createApiKey` writes the column.
    scopes: JSON.parse(row.scopes) as Scope[],
    createdAt: new Date(row.created_at),
    expiresAt: toDate(row.expires_at),
    rateLimit: row.rate_limit,
    revokedAt: toDate(row.revoked_at),
    lastUsedAt: toDate(row.last_used_at),
  };
}

function toDate(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}
