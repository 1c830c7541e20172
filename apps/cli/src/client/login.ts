import { type Account, isApiError, isWellFormedApiKey } from "@siteward/sdk";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { note } from "../output/notices.ts";
import type { Io } from "../process/io.ts";
import { createClient } from "./connect.ts";
import { promptForSecret } from "./prompts.ts";
import type { LoginTarget } from "./resolve.ts";
import { cleanApiKey, type GivenKey } from "./secrets.ts";

/**
 * Checks with the service that an API key is valid.
 *
 * @returns the account of the key; null if the key lacks the scope to read it
 * @throws CliError `api_key_mistyped`, without a request
 * @throws ApiError `unauthenticated` if the service does not accept the key
 */
export async function verifyApiKey(
  io: Io,
  flags: GlobalFlags,
  { apiKey, origin, baseUrl }: Pick<GivenKey, "apiKey" | "origin"> & Pick<LoginTarget, "baseUrl">,
): Promise<Account | null> {
  io.facts.key = { origin, baseUrl, remedy: "The operator of the service creates keys." };
  const siteward = createClient(io, flags, { apiKey, baseUrl });
  return await siteward.account.get().catch((error: unknown) => {
    if (isApiError(error, "insufficient_scope")) return null;
    throw error;
  });
}

/**
 * Prompts for the API key. A mistyped key is noticed offline, and the prompt appears again.
 *
 * @throws CliError `interrupted` if the person cancels
 */
export async function askForApiKey(io: Io, target: LoginTarget): Promise<Pick<GivenKey, "apiKey" | "origin">> {
  for (const line of introduceLogin(target)) await note(io, line);
  const text = await promptForSecret(io, "API key", (typed) => findFault(cleanApiKey(typed)));
  return { apiKey: cleanApiKey(text), origin: "the prompt" };
}

/** Returns what a person needs to know before they paste a key: where it goes, what it replaces and who creates keys. */
function introduceLogin({ name, profile, baseUrl, isDefaultUrl }: LoginTarget): readonly string[] {
  const replaced = profile && [`This replaces the stored key of the profile, which is for ${profile.base_url}.`];
  return [
    `Logging in to ${baseUrl}, as profile "${name}".${isDefaultUrl ? " For another service, pass --base-url." : ""}`,
    ...(replaced ?? []),
    "The operator of the service creates keys, with `siteward-server keys create`.",
  ];
}

function findFault(apiKey: string): string | undefined {
  if (apiKey === "") return "Paste the API key, or press Ctrl-C to cancel.";
  if (isWellFormedApiKey(apiKey)) return undefined;
  return "This key is mistyped or incomplete. A key starts with swk_ and has 42 characters. Paste it again.";
}
