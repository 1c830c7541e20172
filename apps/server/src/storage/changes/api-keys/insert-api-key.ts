import type { ChangeAuthor } from "@siteward/service";
import type { Database, WriteConnection } from "../../database/database.ts";
import type { NewApiKey } from "../../interface/storage.ts";
import type { ApiKeyRow } from "../../tables/schema.ts";
import { prepareAuditApiKey } from "./audit-api-key.ts";

/**
 * Returns a function that inserts a key under the next id, with its entry in the audit trail. If another key gets the id at
 * the same time, the transaction runs again.
 */
export function prepareInsertApiKey(database: Database) {
  const { build, now } = database;
  const audit = prepareAuditApiKey(database);
  return async (
    transaction: WriteConnection,
    key: NewApiKey,
    by: ChangeAuthor,
  ): Promise<ApiKeyRow | "prefix-in-use"> => {
    const at = now();
    const row: ApiKeyRow = { ...toNewRow(key), id: await readNextId(transaction), version: 1, created_at: at };
    const insert = build.insertInto("api_keys").values(row);
    const inserted = await transaction.write(
      insert.onConflict((conflict) => conflict.column("prefix").doNothing()).returning("id"),
    );
    if (inserted.length === 0) return "prefix-in-use";
    await audit(transaction, { action: "api_key.created", before: undefined, after: row, at, by });
    return row;
  };
}

/**
 * The keys are read first: if the newest one is deleted in between, the deletion of its account began before, and so the second
 * query finds it.
 */
async function readNextId({ build, read }: WriteConnection): Promise<number> {
  const [newest] = await read(build.selectFrom("api_keys").select(({ fn }) => fn.max<number | null>("id").as("id")));
  const [deleted] = await read(
    build.selectFrom("account_deletions").select(({ fn }) => fn.max<number | null>("last_api_key_id").as("id")),
  );
  return Math.max(newest?.id ?? 0, deleted?.id ?? 0) + 1;
}

function toNewRow(key: NewApiKey): Omit<ApiKeyRow, "id" | "version" | "created_at"> {
  return {
    account_id: key.accountId,
    name: key.name,
    prefix: key.prefix,
    hash: key.hash,
    scopes: JSON.stringify(key.scopes),
    rate_limit: key.rateLimit,
    expires_at: key.expiresAt?.getTime() ?? null,
    revoked_at: null,
    last_used_at: null,
  };
}
