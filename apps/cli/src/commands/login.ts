import { warnOfPlainText } from "../client/warn-of-plain-text.ts";
import { environmentSettings } from "../config/environment-settings.ts";
import { keyStoreSetting } from "../config/key-store.ts";
import { readProfileFile } from "../config/profile-file.ts";
import { resolveLogin } from "../config/resolve.ts";
import { CliError } from "../errors/cli-error.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { originOfKey, readApiKey } from "../flags/read-api-key.ts";
import { mayPrompt } from "../input/prompts.ts";
import { askForApiKey } from "../login/ask-for-api-key.ts";
import { storeLogin } from "../login/store-login.ts";
import { verifyApiKey } from "../login/verify-api-key.ts";
import { accountView } from "../output/account-view.ts";
import { note, warn } from "../output/notices.ts";
import { openOutput } from "../output/output.ts";
import type { View } from "../output/view.ts";
import type { Io } from "../process/io.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

const loginView: View = {
  profile: { title: "Profile", inList: true },
  base_url: { title: "Service", inList: true },
  key_store: { title: "API key in", inList: true },
  ...Object.fromEntries(
    Object.entries(accountView).map(([field, column]) => [
      `account.${field}`,
      { ...column, title: column.title === "ID" ? "Account" : column.title },
    ]),
  ),
};

/** Sets up `siteward login`. */
export const login: CommandSetup = (command, io) => {
  command.addHelpText("after", `\n${storageHelp}\n${examples(exampleLines)}`).action(async () => {
    const flags = command.optsWithGlobals<GlobalFlags>();
    const output = openOutput(io, flags, loginView);
    const keyStore = keyStoreSetting(io);
    const { profiles } = await readProfileFile(io);
    const target = resolveLogin(flags, environmentSettings(io), profiles);
    const { profile, baseUrl } = target;
    const given = await readApiKey(io, flags);
    if (given === undefined) refuseIfUnattended(io, flags);
    await warnOfPlainText(io, flags, baseUrl);
    const { apiKey, account } =
      given === undefined
        ? await askForApiKey(io, flags, target)
        : await verifyApiKey(io, flags, { apiKey: given, baseUrl, origin: originOfKey(flags) });
    const { store, path, problems } = await storeLogin(io, { profile, baseUrl, apiKey, keyStore });
    await output.one({ profile, base_url: baseUrl, key_store: store, account });
    const place = store === "keyring" ? "the keyring of this system" : path;
    await note(io, `Logged in. The API key is stored in ${place}, profile ${profile}.`);
    for (const problem of problems) await warn(io, flags, problem);
    await warnOfEnvironment(io, flags);
  });
};

const storageHelp =
  "The key is verified, then stored in the keyring of your system if it has one, " +
  "else in a file that only you can read.\n" +
  "SITEWARD_KEY_STORE=keyring or SITEWARD_KEY_STORE=file chooses one of them.";

const exampleLines = [
  "siteward login",
  "siteward login --api-key-stdin < key.txt",
  "siteward login --profile work --base-url https://siteward.example.com",
];

function refuseIfUnattended(io: Io, flags: GlobalFlags): void {
  if (mayPrompt(io, flags)) return;
  throw new CliError("usage", "Cannot prompt for the API key. Pass it with --api-key-stdin or --api-key-file.");
}

async function warnOfEnvironment(io: Io, flags: GlobalFlags): Promise<void> {
  const { SITEWARD_API_KEY: apiKey = "" } = io.env;
  if (apiKey !== "") await warn(io, flags, "SITEWARD_API_KEY is set and overrides the profile.");
}
