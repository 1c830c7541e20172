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

/** A key that a person or a script passed, and where it is to be sent. */
interface GivenKey extends Credentials {
  /** What has the key, for the error of one that is refused: a flag, or "the prompt". */
  readonly origin: string;
}

/**
 * Checks with the service that an API key is valid.
 *
 * @throws CliError `api_key_mistyped`, without a request
 * @throws ApiError `unauthenticated` if the service does not accept the key
 */
export async function verifyApiKey(io: Io, flags: GlobalFlags, given: GivenKey): Promise<VerifiedKey> {
  const { apiKey, baseUrl, origin } = given;
  io.facts.key = { origin, baseUrl, remedy: "The operator of the service creates keys." };
  const siteward = await createClient(io, flags, given);
  const { isApiError } = await import("@siteward/sdk");
  try {
    return { apiKey, account: await siteward.account.get() };
  } catch (error) {
    if (isApiError(error, "insufficient_scope")) return { apiKey, account: null };
    throw error;
  }
}
