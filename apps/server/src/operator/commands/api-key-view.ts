import type { StoredApiKey } from "../../storage/interface/storage.ts";

/** What is shown of a key, which never includes its hash. */
export type ApiKeyView = ReturnType<typeof toApiKeyView>;

/** Returns what is shown of a key at a time. */
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

/** Returns when a key expires, for a person. */
export function renderExpiry({ expires_at }: Pick<ApiKeyView, "expires_at">): string {
  return expires_at === null ? "It never expires." : `It expires at ${expires_at}.`;
}

function stateOf({ expiresAt, revokedAt }: StoredApiKey, nowMs: number): "active" | "expired" | "revoked" {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt.getTime() <= nowMs ? "expired" : "active";
}
