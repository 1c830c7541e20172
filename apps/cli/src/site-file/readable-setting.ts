import type { WebsiteSettings } from "@siteward/contract/website-settings";
import { privacyNames } from "../output/website-view.ts";
import type { SettingName } from "./settings.ts";

/** A setting as people write it in a file: the name of a level, true or false, or a list. */
export type ReadableSetting = string | boolean | readonly string[];

const readable = {
  privacy: (level) => privacyNames[level],
  email: (state) => state === 1,
  exclude_bots: (state) => state === 1,
  exclude_params: (entries) => entries,
  exclude_ips: (entries) => entries,
} as const satisfies { readonly [Name in SettingName]: (value: WebsiteSettings[Name]) => ReadableSetting };

/** Returns a setting as people write it in a file. */
export function readableSetting<Name extends SettingName>(name: Name, value: WebsiteSettings[Name]): ReadableSetting {
  // By its type, each function takes the values of its setting.
  const read = readable[name] as (value: WebsiteSettings[Name]) => ReadableSetting;
  return read(value);
}
