import { type Account, isApiError, isWellFormedApiKey } from "@siteward/sdk";
import { warnOfPlainText } from "../client/base-url.ts";
import { createClient } from "../client/connect.ts";
import { keyStoreSetting } from "../client/keyring.ts";
import { readProfileFile } from "../client/profiles.ts";
import { mayPrompt, promptForSecret } from "../client/prompts.ts";
import { environmentSettings, type LoginTarget, resolveLogin } from "../client/resolve.ts";
import { cleanApiKey, type GivenKey, readApiKey } from "../client/secrets.ts";
import { storeLogin } from "../client/stored-keys.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { accountView } from "../output/account-view.ts";
import { note, warn } from "../output/notices.ts";
import type { View } from "../output/view.ts";
import { CliError } from "../process/cli-error.ts";
import type { Io } from "../process/io.ts";
import type { CommandDefinition } from "./command.ts";

const ofAccount = Object.entries(accountView).map(([field, column]) => [`account.${field}`, column]);

const loginView: View = {
  profile: { title: "Profile", inList: true },
  base_url: { title: "Service", inList: true },
  key_store: { title: "API key in", inList: true },
  ...Object.fromEntries(ofAccount),
  "account.id": { ...accountView.id, title: "Account" },
};

/** `siteward login`. */
export const command: CommandDefinition = {
  help: `\
The key is verified, then stored in the keyring of your system if it has one,
else in a file that only you can read. SITEWARD_KEY_STORE=keyring or
SITEWARD_KEY_STORE=file chooses one of them.`,
  examples: [
    "siteward login",
    "siteward login --api-key-stdin < key.txt",
    "siteward login --profile work --base-url https://siteward.example.com",
  ],
  view: loginView,
  run: async ({ io, flags, openOutput }) => {
    const output = openOutput();
    // A setting that is not valid is refused before a person is asked.
    keyStoreSetting(io);
    const { profiles } = await readProfileFile(io);
    const target = resolveLogin(flags, environmentSettings(io), profiles);
    const { name, baseUrl } = target;
    const given = await readApiKey(io, flags);
    if (given === undefined && !mayPrompt(io, flags))
      throw new CliError("usage", "Cannot prompt for the API key. Pass it with --api-key-stdin or --api-key-file.");
    await warnOfPlainText(io, baseUrl);
    const { apiKey, origin } = given ?? (await askForApiKey(io, target));
    const account = await verifyApiKey(io, flags, { apiKey, origin, baseUrl });
    const { store, path } = await storeLogin(io, { name, baseUrl, apiKey });
    await output.one({ profile: name, base_url: baseUrl, key_store: store, account });
    const place = store === "keyring" ? "the keyring of this system" : path;
    await note(io, `Logged in. The API key is stored in ${place}, profile ${name}.`);
    if (io.env["SITEWARD_API_KEY"]) await warn(io, "SITEWARD_API_KEY is set and overrides the profile.");
  },
};

/**
 * Checks with the service that an API key is valid.
 *
 * @returns the account of the key; null if the key lacks the scope to read it
 * @throws CliError `api_key_mistyped`, without a request
 * @throws ApiError `unauthenticated` if the service does not accept the key
 */
async function verifyApiKey(
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
async function askForApiKey(io: Io, target: LoginTarget): Promise<Pick<GivenKey, "apiKey" | "origin">> {
  for (const line of introduceLogin(target)) await note(io, line);
  const check = (typed: string) => (isWellFormedApiKey(cleanApiKey(typed)) ? undefined : mistyped);
  const text = await promptForSecret(io, "API key", check);
  return { apiKey: cleanApiKey(text), origin: "the prompt" };
}

/** Says where a key goes that is pasted, what it replaces and who creates keys. */
function introduceLogin({ name, profile, baseUrl, isDefaultUrl }: LoginTarget): readonly string[] {
  const replaced = profile && [`This replaces the stored key of the profile, which is for ${profile.base_url}.`];
  return [
    `Logging in to ${baseUrl}, as profile "${name}".${isDefaultUrl ? " For another service, pass --base-url." : ""}`,
    ...(replaced ?? []),
    "The operator of the service creates keys, with `siteward-server keys create`.",
  ];
}

const mistyped = "This key is mistyped or incomplete. A key starts with swk_ and has 42 characters. Paste it again.";
