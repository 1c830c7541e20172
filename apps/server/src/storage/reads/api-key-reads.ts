import type { Scope } from "@siteward/contract";
import type { Database } from "../engine/database.ts";
import { listNames, prepared, sql } from "../engine/statement.ts";
import type { ApiKeyStore, StoredApiKey } from "../interface/storage.ts";
import { type ApiKeyRow, apiKeys } from "../tables/schema.ts";
import { columnNames } from "../tables/table.ts";

const selectApiKeys = sql`select ${listNames(columnNames(apiKeys))} from api_keys`;
const findByHash = prepared<ApiKeyRow>(sql`${selectApiKeys} where hash = :hash`);

export function createApiKeyReads({ primary }: Pick<Database, "primary">): Pick<ApiKeyStore, "findByHash" | "list"> {
  return {
    async findByHash(hash) {
      const [row] = await primary.read(findByHash, { hash });
      return row === undefined ? undefined : toApiKey(row);
    },
    async list(accountId) {
      const ofAccount = accountId === undefined ? sql`` : sql`where account_id = :accountId`;
      const rows = await primary.read<ApiKeyRow>(sql`${selectApiKeys} ${ofAccount} order by id`, { accountId });
      return rows.map(toApiKey);
    },
  };
}

export async function findApiKey({ primary }: Database, prefix: string) {
  return (await primary.read<ApiKeyRow>(sql`${selectApiKeys} where prefix = :prefix`, { prefix }))[0];
}

export function toApiKey(row: ApiKeyRow): StoredApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    prefix: row.prefix,
    hash: row.hash,
    scopes: readScopes(row),
    createdAt: new Date(row.created_at),
    expiresAt: toDate(row.expires_at),
    rateLimit: row.rate_limit,
    revokedAt: toDate(row.revoked_at),
    lastUsedAt: toDate(row.last_used_at),
  };
}

/** Returns the fields of a key that its audit trail describes. Its hash is not one of them. */
export function auditedFields(row: ApiKeyRow) {
  return {
    name: row.name,
    prefix: row.prefix,
    scopes: readScopes(row),
    rate_limit: row.rate_limit,
    expires_at: toDate(row.expires_at)?.toISOString(),
    revoked_at: toDate(row.revoked_at)?.toISOString(),
  };
}

/** The cast is safe: only the stores of this folder write the column. */
function readScopes({ scopes }: ApiKeyRow): Scope[] {
  return JSON.parse(scopes) as Scope[];
}

function toDate(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}
