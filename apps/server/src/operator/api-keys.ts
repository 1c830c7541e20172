import { randomInt } from "node:crypto";
import { scopes } from "@siteward/contract";
import { apiKeySecretLength, formatApiKey, toKeyPrefix } from "@siteward/contract/plain";
import type { ChangeAuthor } from "@siteward/service";
import { hashApiKey } from "../auth/api-key-cache.ts";
import type { NewApiKey, Storage, StoredApiKey } from "../storage/interface/storage.ts";
import { UsageError } from "./command-error.ts";

/** What the operator chooses of a new key. By default, it has all scopes, no end, and the rate limit of the server. */
type ApiKeyChoice = Pick<NewApiKey, "accountId" | "name"> &
  Partial<Pick<NewApiKey, "scopes" | "expiresAt" | "rateLimit">>;

/**
 * Creates a key and stores its hash.
 *
 * @returns the key itself, which cannot be read again, and what is stored of it
 */
export async function issueApiKey(
  { apiKeys }: Pick<Storage, "apiKeys">,
  choice: ApiKeyChoice,
  by: ChangeAuthor,
): Promise<{ key: string; stored: StoredApiKey }> {
  const { accountId, name, scopes: allowed = scopes, expiresAt = null, rateLimit = null } = choice;
  const { key, ...fresh } = generateApiKey();
  const stored = await apiKeys.create({ accountId, name, ...fresh, scopes: allowed, expiresAt, rateLimit }, by);
  if (stored !== undefined) return { key, stored };
  throw new UsageError(
    `Account ${accountId} does not exist or is being deleted. Use \`accounts list\` to see all accounts.`,
  );
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * Generates a key from the system's secure random source. 256 is not a multiple of 62, so the digits are drawn without
 * bias. Its text is shown once and never stored.
 */
export function generateApiKey() {
  const key = formatApiKey(Array.from({ length: apiKeySecretLength }, () => base62[randomInt(62)]).join(""));
  return { key, prefix: toKeyPrefix(key), hash: Buffer.from(hashApiKey(key), "hex") };
}

/** What is shown of a key, which never includes its hash. */
export type ApiKeyView = ReturnType<typeof toApiKeyView>;

export function toApiKeyView(key: StoredApiKey, nowMs: number) {
  return {
    prefix: key.prefix,
    account_id: key.accountId,
    name: key.name,
    scopes: key.scopes,
    state: stateOf(key, nowMs),
    rate_limit: key.rateLimit,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}

function stateOf({ expiresAt, revokedAt }: StoredApiKey, nowMs: number): "active" | "expired" | "revoked" {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt.getTime() <= nowMs ? "expired" : "active";
}
