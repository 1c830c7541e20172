import type { Database } from "../../database/database.ts";
import type { ApiKeyChange, ApiKeyStore } from "../../interface/storage.ts";
import { toApiKey } from "../../reads/api-keys/api-key-row.ts";
import type { ApiKeyRow } from "../../tables/schema.ts";
import { isDifferent } from "../../tables/table.ts";
import { prepareChangeApiKey, readForUpdate } from "./change-api-key.ts";

/** Changes the settings of a key. */
export function prepareApiKeyUpdate(database: Database): ApiKeyStore["update"] {
  const change = prepareChangeApiKey(database);
  return (prefix, decide, by) =>
    database.write(async (transaction) => {
      const row = await readForUpdate(transaction, database, prefix);
      if (row === undefined) return undefined;
      const values = toValues(decide(toApiKey(row)));
      if (!isDifferent(row, { ...row, ...values })) return toApiKey(row);
      return toApiKey(await change(transaction, row, { action: "api_key.updated", values, at: database.now(), by }));
    });
}

function toValues({ name, scopes, expiresAt, rateLimit }: ApiKeyChange): Partial<ApiKeyRow> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(scopes === undefined ? {} : { scopes: JSON.stringify(scopes) }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt?.getTime() ?? null }),
    ...(rateLimit === undefined ? {} : { rate_limit: rateLimit }),
  };
}
