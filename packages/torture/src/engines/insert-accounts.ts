import { hash } from "node:crypto";
import { apiKeySecretLength, formatApiKey } from "@siteward/contract/api-key";
import type { Random } from "../random.ts";
import type { Database } from "./database.ts";
import type { EngineName } from "./engine-name.ts";

interface NewAccount {
  /** The website limit. Null means no limit. */
  readonly websiteLimit: number | null;
  readonly keys: readonly NewKey[];
}

interface NewKey {
  /** Default: all scopes. */
  readonly scopes?: readonly string[] | undefined;
  readonly isRevoked?: boolean;
  readonly isExpired?: boolean;
  /** Default: never. */
  readonly expiresInMs?: number | undefined;
  /** Requests per minute. Default: no limit. */
  readonly rateLimit?: number | undefined;
}

export interface InsertedAccount {
  readonly id: number;
  readonly apiKeys: readonly string[];
}

/** The time at which the rows are created, and the first IDs that no row has. */
interface WrittenAt {
  readonly nowMs: number;
  readonly accountId: number;
  readonly keyId: number;
}

/** What the rows say besides what the caller chooses. */
export const writtenNames = {
  account: { name: "Torture", email: "torture@example.com" },
  key: "torture",
} as const;

const allScopes = ["websites:read", "websites:write", "account:read"];

/**
 * Writes accounts and keys directly into a migrated database, by default one without accounts. The operator's command would use
 * half a second of processor time for each.
 */
export async function insertAccounts(
  database: Database,
  random: Random,
  accounts: readonly NewAccount[],
  { nowMs, accountId, keyId }: WrittenAt = { nowMs: Date.now(), accountId: 1, keyId: 1 },
): Promise<InsertedAccount[]> {
  const { name, email } = writtenNames.account;
  const accountRows: string[] = [];
  const keyRows: string[] = [];
  const inserted = accounts.map(({ websiteLimit, keys }, index) => {
    const id = accountId + index;
    accountRows.push(`(${id}, '${name}', '${email}', 0, ${websiteLimit}, 0, 0, ${nowMs}, ${nowMs})`);
    const apiKeys = keys.map((key) => {
      const text = generateApiKey(random);
      keyRows.push(toKeyRow(database.engine, { ...key, id: keyId + keyRows.length, accountId: id, text, nowMs }));
      return text;
    });
    return { id, apiKeys };
  });
  await database.query(
    "insert into accounts (id, name, email, website_count, website_limit, last_website_id, last_website_created_at, " +
      `created_at, updated_at) values ${accountRows.join(", ")}`,
  );
  await database.query(
    "insert into api_keys (id, account_id, name, prefix, hash, scopes, created_at, expires_at, revoked_at, last_used_at, rate_limit) " +
      `values ${keyRows.join(", ")}`,
  );
  return inserted;
}

/** Generates a key with the right format and checksum. */
export function generateApiKey(random: Random): string {
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  return formatApiKey(Array.from({ length: apiKeySecretLength }, () => digits[random.integer(0, 61)]).join(""));
}

interface KeyRow extends NewKey {
  readonly id: number;
  readonly accountId: number;
  readonly text: string;
  readonly nowMs: number;
}

function toKeyRow(engine: EngineName, key: KeyRow): string {
  const {
    id,
    accountId,
    text,
    nowMs,
    scopes = allScopes,
    isExpired = false,
    isRevoked = false,
    rateLimit = null,
  } = key;
  const bytes = writeBytes[engine](hash("sha256", text, "hex"));
  const createdAt = isExpired || isRevoked ? nowMs - 3_600_000 : nowMs;
  const passedAt = nowMs - 60_000;
  const expiresAt = key.expiresInMs === undefined ? (isExpired ? passedAt : null) : nowMs + key.expiresInMs;
  const times = `${createdAt}, ${expiresAt}, ${isRevoked ? passedAt : null}, null`;
  const [name, prefix] = [writtenNames.key, text.slice(0, 12)];
  return `(${id}, ${accountId}, '${name}', '${prefix}', ${bytes}, '${JSON.stringify(scopes)}', ${times}, ${rateLimit})`;
}

const writeBytes = {
  sqlite: (hex) => `x'${hex}'`,
  postgres: (hex) => `'\\x${hex}'::bytea`,
} as const satisfies Record<EngineName, (hex: string) => string>;
