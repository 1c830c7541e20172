import type { Scope } from "@siteward/contract";
import type { ChangeAuthor } from "@siteward/service";
import type { Each } from "./account-store.ts";

export interface ApiKeyStore {
  /** @param hash SHA-256 of the whole key */
  findByHash(hash: Uint8Array): Promise<StoredApiKey | undefined>;
  list(accountId?: number): Promise<StoredApiKey[]>;
  /**
   * Creates all of the keys or none.
   *
   * @returns the id of an account instead if it does not exist or is being deleted
   * @throws AppError if another key has the prefix, which must identify one
   */
  createAll<const List extends readonly NewApiKey[]>(
    keys: List,
    by: ChangeAuthor,
  ): Promise<Each<List, StoredApiKey> | number>;
  /**
   * Passes the key to `decide`, which can throw to keep it, and makes the change that it returns. A change that alters
   * nothing does not change the version.
   *
   * @returns the key after the change, or undefined if no key has this prefix
   */
  update(
    prefix: string,
    decide: (current: StoredApiKey) => ApiKeyChange,
    by: ChangeAuthor,
  ): Promise<StoredApiKey | undefined>;
  /**
   * Passes the key to `decide`, which can throw to keep it. Creates a key with the same account, name, scopes and rate
   * limit, and lets the old one expire, in one transaction.
   *
   * @returns both keys, or undefined if no key has this prefix
   */
  rotate(
    prefix: string,
    decide: (current: StoredApiKey) => ApiKeyRotation,
    by: ChangeAuthor,
  ): Promise<RotatedApiKey | undefined>;
  /** @returns the revoked key, or undefined if no key has this prefix. Revoking a key again keeps its first time. */
  revoke(prefix: string, by: ChangeAuthor): Promise<StoredApiKey | undefined>;
  /** Stores when keys were last used, in milliseconds since 1970 by key id, unless that would be within `useIntervalMs`. */
  recordUse(usedAtMs: ReadonlyMap<number, number>): Promise<void>;
}

/** The last use of a key is stored at most this often, by all processes together. */
export const useIntervalMs = 300_000;

export interface NewApiKey {
  readonly accountId: number;
  readonly name: string;
  /** Unique among all keys. */
  readonly prefix: string;
  /** SHA-256 of the whole key. */
  readonly hash: Uint8Array;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
  /** Requests a minute. Null means the setting of the server, and 0 means no limit. */
  readonly rateLimit: number | null;
}

/** The settings of an API key that can change. Undefined keeps a setting. */
export type ApiKeyChange = Partial<Pick<NewApiKey, "name" | "scopes" | "expiresAt" | "rateLimit">>;

interface ApiKeyRotation {
  readonly next: Pick<NewApiKey, "prefix" | "hash" | "expiresAt">;
  /** When the old key expires. It never expires later than it would have without the rotation. */
  readonly expiresAt: Date;
}

export interface RotatedApiKey {
  readonly old: StoredApiKey;
  readonly next: StoredApiKey;
}

export interface StoredApiKey extends NewApiKey {
  readonly id: number;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}
