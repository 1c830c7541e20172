import { randomInt } from "node:crypto";
import { scopes } from "@siteward/contract";
import { apiKeySecretLength, base62, formatApiKey, toKeyPrefix } from "@siteward/contract/plain";
import type { ChangeAuthor } from "@siteward/service";
import { hashApiKey } from "../auth/api-key-cache.ts";
import type { Each, NewApiKey, Storage, StoredApiKey } from "../storage/interface/storage.ts";
import { unknownAccount } from "./values.ts";

/** What is chosen of a new key. By default, it has all scopes, no end, and the rate limit of the server. */
export type ApiKeyChoice = Pick<NewApiKey, "accountId" | "name"> &
  Partial<Pick<NewApiKey, "scopes" | "expiresAt" | "rateLimit">> & { readonly generated?: GeneratedKey };

/**
 * Creates keys and stores their hashes, of all or of none.
 *
 * @returns the keys themselves, which cannot be read again, and what is stored of them
 */
export async function issueApiKeys<const List extends readonly ApiKeyChoice[]>(
  { apiKeys }: Pick<Storage, "apiKeys">,
  choices: List,
  by: ChangeAuthor,
) {
  const unset = { scopes, expiresAt: null, rateLimit: null };
  const issued = choices.map(({ generated = generateApiKey(), ...choice }) => ({ ...unset, ...choice, ...generated }));
  const stored = issued.map(({ key: _, ...rest }) => rest);
  const created = await apiKeys.createAll(stored, by);
  if (typeof created === "number") throw unknownAccount(created);
  const shown = issued.map(({ key }, index) => ({ key, stored: created[index] }));
  // The cast is safe: each is that of the choice in its place.
  return shown as Each<List, { key: string; stored: StoredApiKey }>;
}

type GeneratedKey = ReturnType<typeof generateApiKey>;

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
