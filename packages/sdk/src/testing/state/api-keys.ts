import { scopes as allScopes } from "@siteward/contract";
import { apiKeySecretLength, formatApiKey, toKeyPrefix } from "@siteward/contract/api-key";
import type { Scope } from "@siteward/contract/routes";
import { invalidApiKey, type Principal } from "@siteward/service";
import type { FakeApiKeyOptions } from "./api-key-options.ts";
import { isValidDate } from "./clock.ts";
import { setUpError } from "./set-up-error.ts";

/** An API key of the fake. */
export interface StoredApiKey extends Principal {
  readonly rateLimit: number | undefined;
  lastUsedAt: Date | null;
  isRevoked: boolean;
}

const maxApiKeys = 10_000;

/** The API keys of the account, by their text. */
export class ApiKeys {
  readonly #keys = new Map<string, StoredApiKey>();

  /** @returns the text of the key, the same for the first key of each fake, so that snapshots do not change */
  create({ name = "Test", scopes = allScopes, expiresAt, rateLimit }: FakeApiKeyOptions, createdAt: Date): string {
    const id = this.#keys.size + 1;
    checkScopes(scopes);
    if (expiresAt !== undefined && !isValidDate(expiresAt)) {
      throw setUpError("createApiKey", 'expiresAt must be a valid Date, such as new Date("2030-01-01").');
    }
    checkRateLimit(rateLimit, "createApiKey");
    if (id > maxApiKeys) {
      throw setUpError("createApiKey", `the fake has ${maxApiKeys} API keys. Create a fake for each test.`);
    }
    const text = formatApiKey(`Fake${String(id).padStart(4, "0")}`.padEnd(apiKeySecretLength, "x"));
    this.#keys.set(text, {
      id,
      accountId: 1,
      name,
      prefix: toKeyPrefix(text),
      scopes: [...scopes],
      rateLimit,
      createdAt,
      expiresAt: expiresAt ?? null,
      lastUsedAt: null,
      isRevoked: false,
    });
    return text;
  }

  revoke(text: string): void {
    const key = this.#keys.get(text);
    if (key === undefined)
      throw setUpError("revokeApiKey", "the fake has no such API key. Pass one that createApiKey returned.");
    key.isRevoked = true;
  }

  /** @throws AppError `unauthenticated` if the key is unknown, revoked or expired */
  find(text: string, now: Date): StoredApiKey {
    const key = this.#keys.get(text);
    const isValid = key !== undefined && !key.isRevoked && !(key.expiresAt !== null && key.expiresAt <= now);
    if (!isValid) throw invalidApiKey();
    return key;
  }
}

function checkScopes(scopes: readonly Scope[]): void {
  const known = allScopes.join(", ");
  if (!Array.isArray(scopes)) throw setUpError("createApiKey", `scopes must be an array of: ${known}.`);
  const unknown = scopes.find((scope) => !allScopes.includes(scope));
  if (unknown !== undefined) throw setUpError("createApiKey", `there is no scope "${unknown}". Use one of: ${known}.`);
}

/**
 * @param functionName the function that the test called
 * @throws TypeError if it is not a number of requests per minute
 */
export function checkRateLimit(rateLimit: number | undefined, functionName: string): void {
  if (rateLimit === undefined || (Number.isSafeInteger(rateLimit) && rateLimit >= 0 && rateLimit <= 1_000_000)) return;
  throw setUpError(
    functionName,
    "rateLimit must be a whole number of requests per minute, from 0 (no limit) to 1000000.",
  );
}
