import type { LoginTarget } from "../config/resolve.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { cleanApiKey } from "../input/clean-api-key.ts";
import { promptForSecret } from "../input/prompts.ts";
import { note } from "../output/notices.ts";
import type { Io } from "../process/io.ts";
import { introduceLogin } from "./introduce-login.ts";
import { type VerifiedKey, verifyApiKey } from "./verify-api-key.ts";

/** How many keys a person may try. Each that the service does not accept counts towards the rate limit of their network. */
const maxAttempts = 3;

/**
 * Prompts for the API key and verifies it. A mistyped key is noticed offline, and the prompt appears again. So it does
 * after a key that the service does not accept, up to three times.
 *
 * @throws CliError `interrupted` if the person cancels
 * @throws ApiError of the last key
 */
export async function askForApiKey(io: Io, flags: GlobalFlags, target: LoginTarget): Promise<VerifiedKey> {
  for (const line of introduceLogin(target)) await note(io, line);
  const { isApiError, isWellFormedApiKey } = await import("@siteward/sdk");
  const check = (text: string): string | undefined => findFault(cleanApiKey(text), isWellFormedApiKey);
  for (let attempt = 1; ; attempt += 1) {
    const message = attempt === 1 ? "API key" : `API key (attempt ${attempt} of ${maxAttempts})`;
    const apiKey = cleanApiKey(await promptForSecret(io, message, check));
    try {
      return await verifyApiKey(io, flags, { apiKey, baseUrl: target.baseUrl, origin: "the prompt" });
    } catch (error) {
      if (!isApiError(error, "unauthenticated") || attempt === maxAttempts) throw error;
      await note(io, `${target.baseUrl} does not accept this key: it is unknown, revoked or expired. Try another one.`);
    }
  }
}

function findFault(apiKey: string, isWellFormed: (text: string) => boolean): string | undefined {
  if (apiKey === "") return "Paste the API key, or press Ctrl-C to cancel.";
  if (isWellFormed(apiKey)) return undefined;
  return "This key is mistyped or incomplete. A key starts with swk_ and has 42 characters. Paste it again.";
}
