import type { Siteward } from "@siteward/sdk";
import { CliError } from "../errors/cli-error.ts";
import type { Io } from "../process/io.ts";
import { version } from "../process/version.ts";
import { createNodeFetch } from "./node-fetch.ts";

/** The service, and the key to send to it. */
export interface Credentials {
  readonly apiKey: string;
  readonly baseUrl: string;
}

/**
 * Creates the client of the service, after checking offline that the key is not mistyped.
 *
 * The client does not retry by default: a script that is rate limited fails at once and does not hang for a minute. A
 * command asks for retries itself if stopping halfway would cost more.
 *
 * @throws CliError `api_key_mistyped`
 */
export async function createClient(io: Io, { apiKey, baseUrl }: Credentials): Promise<Siteward> {
  const { isWellFormedApiKey, Siteward } = await import("@siteward/sdk");
  if (!isWellFormedApiKey(apiKey)) {
    throw new CliError(
      "api_key_mistyped",
      "The API key is mistyped or incomplete: its format or checksum is wrong.",
      "Copy the entire key again. It starts with swk_ and has 42 characters.",
    );
  }
  return new Siteward({
    apiKey,
    baseUrl,
    fetch: createNodeFetch(io.runtime),
    maxRetries: 0,
    userAgent: `siteward-cli/${version}`,
  });
}
