import type { Account } from "@siteward/sdk";
import { type Credentials, createClient } from "../client/create-client.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import type { Io } from "../process/io.ts";

/** An API key that the service accepted. */
export interface VerifiedKey {
  readonly apiKey: string;
  /** The account of the key; null if the key lacks the scope to read it. */
  readonly account: Account | null;
}

/**
 * Checks with the service that an API key is valid.
 *
 * @throws CliError `api_key_mistyped`, without a request
 * @throws ApiError `unauthenticated` if the service does not accept the key
 */
export async function verifyApiKey(io: Io, flags: GlobalFlags, credentials: Credentials): Promise<VerifiedKey> {
  const siteward = await createClient(io, flags, credentials);
  const { apiKey } = credentials;
  const { isApiError } = await import("@siteward/sdk");
  try {
    return { apiKey, account: await siteward.account.get() };
  } catch (error) {
    if (isApiError(error, "insufficient_scope")) return { apiKey, account: null };
    throw error;
  }
}
