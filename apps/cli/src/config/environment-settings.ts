import { cleanApiKey } from "../input/clean-api-key.ts";
import type { Io } from "../process/io.ts";
import type { SettingSource } from "./resolve.ts";

/** Returns the settings in environment variables. An empty variable counts as not set. */
export function environmentSettings({ env }: Io): SettingSource {
  return {
    apiKey: present(cleanApiKey(env["SITEWARD_API_KEY"] ?? "")),
    baseUrl: present(env["SITEWARD_BASE_URL"]),
    profile: present(env["SITEWARD_PROFILE"]),
  };
}

function present(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}
