import type { WebsiteSettings } from "@siteward/contract/plain";
import type { FieldFlag } from "../flags/field-flags.ts";
import { type Flag, flag, valuesFlag } from "../flags/flag.ts";
import { collectEntries, howToList, levelParser } from "./parse-flag-value.ts";
import { bySetting, type LevelSetting, type Setting, type SettingName, switchLevels } from "./settings.ts";

/** The flags of each setting. Their description says what it is, then what they accept. */
// By its kind, each flag returns a value of its setting.
export const settingFlags = bySetting(flagOf) as { readonly [Name in SettingName]: FieldFlag<WebsiteSettings[Name]> };

function flagOf(setting: Setting): FieldFlag<number | string[]> {
  const name = `--${setting.name.replaceAll("_", "-")}`;
  switch (setting.kind) {
    case "switch":
      return valuesFlag(`${name} <switch>`, setting.help, {
        values: ["on", "off"],
        parse: levelParser(switchLevels),
      });
    case "level":
      return levelFlag(`${name} <level>`, setting);
    case "list":
      return flag(`${name} <${setting.entries}>`, `${setting.help}; ${howToList}`, collectEntries);
  }
}

function levelFlag(syntax: string, { levels, help }: LevelSetting): Flag<number> {
  return valuesFlag(syntax, help, { values: Object.values(levels), parse: levelParser(levels) });
}
