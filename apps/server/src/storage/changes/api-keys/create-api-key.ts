import { sql } from "kysely";
import type { Database } from "../../database/database.ts";
import type { ApiKeyStore, NewApiKey } from "../../interface/storage.ts";
import { selectApiKeys, toApiKey } from "../../reads/api-keys/api-key-row.ts";
import { prepareInTurn } from "../../run/in-turn.ts";
import { rowOf, Steps } from "../../run/steps.ts";
import type { ApiKeyRow } from "../../tables/schema.ts";
import type { AuditEntryRow } from "../audit/audit-entry.ts";
import { toApiKeyEntry } from "./api-key-entry.ts";

/** Creates a key under the next id. If another key gets the id at the same time, the change runs again. */
export function prepareCreateApiKey(database: Database): ApiKeyStore["create"] {
  // In turn on every engine: only a statement after the lock sees that the deletion of the account began.
  const insert = prepareInTurn<NewKeyValues, { id: number }>(database, {
    steps: insertSteps(database).list,
    result: "created",
  });
  return async (key, by) => {
    const row = toNewRow(key, database.now());
    const entry = toApiKeyEntry({ action: "api_key.created", before: undefined, after: row, at: row.created_at, by });
    const created = await insert({ ...row, ...entry });
    if (created !== undefined) return toApiKey({ ...row, id: created.id });
    return (await isPrefixInUse(database, key.prefix)) ? "prefix-in-use" : undefined;
  };
}

/** The row of a new key, except for its id, and its entry in the audit trail. */
export type NewKeyValues = Omit<ApiKeyRow, "id"> & AuditEntryRow;

/**
 * The steps that add a key to an account. The row of the account is locked first. The deletion of the account does the same, so
 * that it finds every key. They add nothing if the account does not exist or is being deleted, or the prefix is in use.
 */
export function insertSteps({ dialect }: Database) {
  return new Steps<NewKeyValues>()
    .step("locked", ({ build, value }) => {
      const account = build.selectFrom("accounts").select("id").where("id", "=", value("account_id"));
      return account.modifyEnd(dialect.forUpdate);
    })
    .step("allowed", ({ build, value }) => {
      const deletion = build.selectFrom("account_deletions").select("account_id");
      const begun = deletion.where("account_id", "=", value("account_id"));
      const account = build.selectFrom("accounts").select("id").where("id", "=", value("account_id"));
      return account.where(({ not, exists }) => not(exists(begun)));
    })
    .step("assigned", ({ build }) =>
      build
        .selectFrom(({ selectFrom }) =>
          selectFrom("api_keys")
            .select(({ fn }) => fn.max<number | null>("id").as("id"))
            .unionAll(
              selectFrom("account_deletions").select(({ fn }) => fn.max<number | null>("last_api_key_id").as("id")),
            )
            .as("used"),
        )
        // The id of a deleted key is never used again.
        .select(sql<number>`coalesce(max(used.id), 0) + 1`.as("id")),
    )
    .step("created", ({ value, of, insertAfter }) =>
      insertAfter("assigned", "api_keys", rowOf("api_keys", value, { id: of("assigned", "id") }))
        .onConflict((conflict) => conflict.column("prefix").doNothing())
        .returning("id"),
    )
    .step(
      "audited",
      ({ value, of, insertAfter }) =>
        insertAfter("created", "audit_entries", rowOf("audit_entries", value, { subject_id: of("created", "id") })),
      "last",
    );
}

/** Returns the row of a new key. Its id is 0 until it is assigned. */
export function toNewRow(key: NewApiKey, at: number): ApiKeyRow {
  return {
    id: 0,
    account_id: key.accountId,
    name: key.name,
    prefix: key.prefix,
    hash: key.hash,
    scopes: JSON.stringify(key.scopes),
    rate_limit: key.rateLimit,
    version: 1,
    created_at: at,
    expires_at: key.expiresAt?.getTime() ?? null,
    revoked_at: null,
    last_used_at: null,
  };
}

export async function isPrefixInUse(database: Database, prefix: string): Promise<boolean> {
  const found = await database.primary.read(selectApiKeys(database).where("prefix", "=", prefix));
  return found.length > 0;
}
