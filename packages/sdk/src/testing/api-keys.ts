import {
  scopes as allScopes,
  apiKeySecretLength,
  formatApiKey,
  type Scope,
  toKeyPrefix,
} from "@siteward/contract/plain";
import { invalidApiKey, type Principal } from "@siteward/service";

/** What a new API key can do. */
export interface FakeApiKeyOptions {
  /**
   * The name that the account shows.
   * @default "Test"
   */
  readonly name?: string | undefined;
  /**
   * What the key can do.
   * @default all scopes
   */
  readonly scopes?: readonly Scope[] | undefined;
  /**
   * When the key expires, by the clock of the fake.
   * @default never
   */
  readonly expiresAt?: Date | undefined;
  /**
   * Requests per minute; 0 for no limit.
   * @default the `rateLimit` of the fake
   */
  readonly rateLimit?: number | undefined;
}

/** An API key of the fake. */
export interface StoredApiKey extends Principal {
  readonly rateLimit: number | undefined;
  lastUsedAt: Date | null;
}

/** The API keys of the account, by their text. */
export class ApiKeys {
  readonly #keys = new Map<string, StoredApiKey>();
  #lastId = 0;

  /** @returns the text of the key, the same for the first key of each fake, so that snapshots do not change */
  create({ name = "Test", scopes = allScopes, expiresAt, rateLimit }: FakeApiKeyOptions, createdAt: Date): string {
    this.#lastId += 1;
    const text = formatApiKey(`Fake${String(this.#lastId).padStart(4, "0")}`.padEnd(apiKeySecretLength, "x"));
    this.#keys.set(text, {
      id: this.#lastId,
      accountId: 1,
      name,
      prefix: toKeyPrefix(text),
      scopes: [...scopes],
      rateLimit,
      createdAt,
      expiresAt: expiresAt ?? null,
      lastUsedAt: null,
    });
    return text;
  }

  revoke(text: string): void {
    if (!this.#keys.delete(text))
      throw new TypeError("The fake has no such API key. Pass one that createApiKey returned.");
  }

  /** @throws AppError `unauthenticated` if the key is unknown, revoked or expired */
  find(text: string, now: Date): StoredApiKey {
    const key = this.#keys.get(text);
    if (key === undefined || (key.expiresAt !== null && key.expiresAt <= now)) throw invalidApiKey;
    return key;
  }
}
