import type { KeySource } from "../config/resolve.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { originOfKey } from "../flags/read-api-key.ts";
import type { UsedKey } from "../process/facts.ts";

/** Describes the API key of a command for the error that the service may answer with. */
export function describeKey(
  key: KeySource,
  flags: Pick<GlobalFlags, "apiKeyFile">,
  { baseUrl, profilePath }: { readonly baseUrl: string; readonly profilePath: string },
): UsedKey {
  switch (key.from) {
    case "flag":
      return { origin: originOfKey(flags), baseUrl, remedy: "Pass a valid key." };
    case "environment":
      return {
        origin: "SITEWARD_API_KEY",
        baseUrl,
        remedy: "Set SITEWARD_API_KEY to a valid key, or unset it to use the key of your profile.",
      };
    case "profile": {
      const place = key.key.store === "keyring" ? "the keyring of this system" : profilePath;
      const remedy = `Log in again with \`siteward login --profile ${key.profile}\`.`;
      return { origin: `profile "${key.profile}" in ${place}`, baseUrl, remedy };
    }
  }
}
