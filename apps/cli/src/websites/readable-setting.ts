import type { WebsiteSettings } from "@siteward/contract/plain";
import { bySetting, levelName, type SettingName } from "./settings.ts";

/** A setting as people write it in a file: the name of a level, true or false, or a list. */
type ReadableSetting = string | boolean | readonly string[];

const settingNamed = bySetting((setting) => setting);

/** Returns a setting as people write it in a file. */
export function readableSetting<Name extends SettingName>(name: Name, value: WebsiteSettings[Name]): ReadableSetting {
  const setting = settingNamed[name];
  switch (setting.kind) {
    case "switch":
      return value === 1;
    case "level":
      return levelName(setting.levels, value) ?? String(value);
    case "list":
      // By its kind, the setting has a list.
      return value as readonly string[];
  }
}
