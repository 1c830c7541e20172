import { warnOfPlainText } from "../client/base-url.ts";
import { keyStoreSetting } from "../client/keyring.ts";
import { askForApiKey, verifyApiKey } from "../client/login.ts";
import { readProfileFile } from "../client/profiles.ts";
import { mayPrompt } from "../client/prompts.ts";
import { environmentSettings, resolveLogin } from "../client/resolve.ts";
import { readApiKey } from "../client/secrets.ts";
import { storeLogin } from "../client/stored-keys.ts";
import { accountView } from "../output/account-view.ts";
import { note, warn } from "../output/notices.ts";
import type { View } from "../output/view.ts";
import { CliError } from "../process/cli-error.ts";
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
