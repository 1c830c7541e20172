import { type Scope, scopes } from "@siteward/contract";
import { generateApiKey } from "../../auth/api-key.ts";
import type { Storage, StoredApiKey } from "../../storage/storage.ts";
import { UsageError } from "../io/command-error.ts";

/** The properties of a new key that the operator chooses. */
export interface ApiKeyChoice {
  readonly accountId: number;
  readonly name: string;
  /** All scopes if unset. */
  readonly scopes?: readonly Scope[];
  /** Never if unset. */
  readonly expiresAt?: Date | null;
}

const maxAttempts = 5;

/**
 * Creates a key and stores its hash.
 *
 * @returns the key itself, which cannot be read again, and what is stored of it
 */
export async function issueApiKey(
  storage: Storage,
  choice: ApiKeyChoice,
): Promise<{ key: string; stored: StoredApiKey }> {
  if ((await storage.accounts.get(choice.accountId)) === undefined) {
    throw new UsageError(`Account ${choice.accountId} does not exist. Use \`accounts list\` to see all accounts.`);
  }
  // Two keys have the same prefix once in 10^14 times. A prefix must identify one key.
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const { key, prefix, hash } = generateApiKey();
    const stored = await storage.apiKeys.create({
      accountId: choice.accountId,
      name: choice.name,
      prefix,
      hash,
      scopes: choice.scopes ?? scopes,
      expiresAt: choice.expiresAt ?? null,
      rateLimit: null,
    });
    if (stored !== undefined) return { key, stored };
  }
  throw new Error("No unused key prefix was found.");
}
