import type { WebsiteSettings } from "@siteward/contract/website-settings";
import type { FieldFlag } from "../flags/field-flags.ts";
import { type Flag, flag, textFlag, valuesFlag } from "../flags/flag.ts";
import { joinChoices } from "./levels.ts";
import { collectEntries, howToList, levelParser, parseSwitch } from "./parse-flag-value.ts";
import { readEntriesFile } from "./read-entries-file.ts";
import { bySetting, type LevelSetting, type ListSetting, type Setting, type SettingName } from "./settings.ts";

/** The flags of each setting. Their description says what it is, then what they accept. */
// By its kind, each flag returns a value of its setting.
export const settingFlags = bySetting(flagOf) as { readonly [Name in SettingName]: FieldFlag<WebsiteSettings[Name]> };

function flagOf(setting: Setting): FieldFlag<number | string[]> {
  const name = `--${setting.name.replaceAll("_", "-")}`;
  switch (setting.kind) {
    case "switch":
      return valuesFlag(`${name} <switch>`, `${setting.help}: on or off (1, 0)`, {
        values: ["on", "off"],
        parse: parseSwitch,
      });
    case "level":
      return levelFlag(`${name} <level>`, setting);
    case "list": {
      const flags = flag(`${name} <${setting.entries}>`, `${setting.help}; ${howToList}`, collectEntries);
      return setting.hasFileFlag === true ? withFileFlag(flags, `${name}-file`, setting) : flags;
    }
  }
}

function levelFlag(syntax: string, { levels, help }: LevelSetting): Flag<number> {
  const names = Object.values(levels);
  const description = `${help}: ${joinChoices(names)} (${Object.keys(levels).join(", ")})`;
  return valuesFlag(syntax, description, { values: names, parse: levelParser(levels) });
}

/** Adds a flag that names a file of entries, which follow those of the other flag. */
function withFileFlag(flags: Flag<string[]>, flagName: string, { name, help }: ListSetting): FieldFlag<string[]> {
  const file = textFlag(`${flagName} <path>`, `file of ${help}, one per line; # starts a comment`);
  return {
    options: [...flags.options, ...file.options],
    read: async (values) => {
      const path = file.read(values);
      const entries = flags.read(values);
      if (path === undefined) return entries;
      return [...(entries ?? []), ...(await readEntriesFile(path, flagName, name))];
    },
  };
}
