import type { StoredApiKey } from "../../storage/interface/storage.ts";

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
