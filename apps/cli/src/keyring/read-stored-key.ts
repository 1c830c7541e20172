import { keyStoreSetting } from "../config/key-store.ts";
import type { KeySource } from "../config/resolve.ts";
import { CliError } from "../errors/cli-error.ts";
import type { Io } from "../process/io.ts";
import { askKeyring } from "./ask-keyring.ts";

/**
 * Returns the API key of a source, from the keyring if it is stored there.
 *
 * @throws CliError `settings_unusable` if the keyring cannot be used, `api_key_missing` if it does not have the key
 */
export async function readStoredKey(io: Io, source: KeySource): Promise<string> {
  if (source.from !== "profile") return source.apiKey;
  const { key, profile } = source;
  if (key.store === "file") return key.apiKey;
  if (keyStoreSetting(io) === "file") {
    throw new CliError(
      "settings_unusable",
      `The API key of profile "${profile}" is in the keyring, which SITEWARD_KEY_STORE=file turns off.`,
      "Unset SITEWARD_KEY_STORE, or log in again to store the key in the profile file.",
    );
  }
  const apiKey = await askKeyring(io, { operation: "read", entry: key.entry });
  if (apiKey !== null) return apiKey;
  throw new CliError(
    "api_key_missing",
    `The API key of profile "${profile}" is not in the keyring of this system.`,
    `Log in again with \`siteward login --profile ${profile}\`.`,
  );
}
