import { type Scope, scopes } from "@siteward/contract";
import type { ChangeAuthor } from "@siteward/service";
import type { Storage, StoredApiKey } from "../../storage/interface/storage.ts";
import { UsageError } from "../io/command-error.ts";
import { withFreshKey } from "./with-fresh-key.ts";

/** The properties of a new key that the operator chooses. */
interface ApiKeyChoice {
  readonly accountId: number;
  readonly name: string;
  /** All scopes if unset. */
  readonly scopes?: readonly Scope[];
  /** Never if unset. */
  readonly expiresAt?: Date | null;
  /** Requests a minute. The setting of the server if unset, and no limit if 0. */
  readonly rateLimit?: number | null;
}

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
  const { key, result: stored } = await withFreshKey((fresh) =>
    apiKeys.create({ accountId, name, ...fresh, scopes: allowed, expiresAt, rateLimit }, by),
  );
  if (stored !== undefined) return { key, stored };
  throw new UsageError(
    `Account ${accountId} does not exist or is being deleted. Use \`accounts list\` to see all accounts.`,
  );
}
