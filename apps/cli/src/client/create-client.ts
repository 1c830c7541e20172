import type { Siteward } from "@siteward/sdk";
import { CliError } from "../errors/cli-error.ts";
import { version } from "../process/version.ts";

/**
 * Makes the client of the service, after holding offline that the key is not mistyped.
 *
 * Nothing is repeated by default: a script learns at once that it is rate limited, and does not hang for a minute. Where
 * giving up halfway would cost more, a command asks for repetitions itself.
 *
 * @throws CliError `api_key_mistyped`
 */
export async function createClient(apiKey: string, baseUrl: string): Promise<Siteward> {
  const { isWellFormedApiKey, Siteward } = await import("@siteward/sdk");
  if (!isWellFormedApiKey(apiKey)) {
    throw new CliError(
      "api_key_mistyped",
      "this is not a valid API key: its format or checksum is wrong, so it is mistyped or incomplete",
      "Copy the entire key again. It starts with swk_ and has 42 characters.",
    );
  }
  return new Siteward({ apiKey, baseUrl, maxRetries: 0, userAgent: `siteward-cli/${version}` });
}
