import type { ChangeAuthor } from "@siteward/service";
import type { Database } from "../../database/database.ts";
import type { ApiKeyChange, ApiKeyStore } from "../../interface/storage.ts";
import { selectApiKeys, toApiKey } from "../../reads/api-keys/api-key-row.ts";
import type { ApiKeyRow } from "../../tables/schema.ts";
import { isDifferent } from "../../tables/table.ts";
import { untilNoConflict } from "../until-no-conflict.ts";
import { prepareUpdateRow } from "../update-row.ts";
import { type AuditedApiKey, toApiKeyEntry } from "./api-key-entry.ts";

/** The columns of a key that can change. */
type Changed = Partial<Pick<ApiKeyRow, "name" | "scopes" | "rate_limit" | "expires_at" | "revoked_at">>;

/** Changes the settings of a key. A change that alters nothing leaves the version. */
export function prepareUpdateApiKey(database: Database): ApiKeyStore["update"] {
  const change = prepareChangeApiKey(database);
  return (prefix, decide, by) =>
    change(prefix, by, (row) => ({ action: "api_key.updated", set: toColumns(decide(toApiKey(row))) }));
}

/** Revokes a key. One that is already revoked stays as it is. */
export function prepareRevokeApiKey(database: Database): ApiKeyStore["revoke"] {
  const change = prepareChangeApiKey(database);
  return (prefix, by) =>
    change(prefix, by, ({ revoked_at }) => ({
      action: "api_key.revoked",
      set: { revoked_at: revoked_at ?? database.now() },
    }));
}

function prepareChangeApiKey(database: Database) {
  const updateRow = prepareUpdateRow(database, "api_keys");
  return (
    prefix: string,
    by: ChangeAuthor,
    decide: (row: ApiKeyRow) => { readonly action: AuditedApiKey["action"]; readonly set: Changed },
  ) =>
    untilNoConflict(`The API key ${prefix}`, async () => {
      const [row] = await database.primary.read(selectApiKeys(database).where("prefix", "=", prefix));
      if (row === undefined) return undefined;
      const { action, set } = decide(row);
      if (!isDifferent(row, { ...row, ...set })) return toApiKey(row);
      const after = { ...row, ...set, version: row.version + 1 };
      const entry = toApiKeyEntry({ action, before: row, after, at: database.now(), by });
      return (await updateRow({ expectedVersion: row.version, set, entry })) ? toApiKey(after) : "conflict";
    });
}

function toColumns({ name, scopes, expiresAt, rateLimit }: ApiKeyChange): Changed {
  return {
    ...(name === undefined ? {} : { name }),
    ...(scopes === undefined ? {} : { scopes: JSON.stringify(scopes) }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt?.getTime() ?? null }),
    ...(rateLimit === undefined ? {} : { rate_limit: rateLimit }),
  };
}
