import type { Website } from "@siteward/sdk";
import { type Column, cellText } from "../output/view.ts";
import { bySetting, levelName, type Setting, switchLevels } from "./settings.ts";

const { privacy, ...otherSettings } = bySetting(
  (setting): Column => ({ ...setting.column, show: (value) => showSetting(setting, value) }),
);

/** How a website is shown. A field without a column here does not compile. */
export const websiteView = {
  id: { title: "ID", inList: true },
  domain: { title: "Domain", inList: true, kind: "domain" },
  privacy,
  has_password: { title: "Password set", inList: false, show: showYesOrNo },
  ...otherSettings,
  created_at: { title: "Created", inList: true },
  updated_at: { title: "Updated", inList: false },
} satisfies Record<keyof Website, Column>;

/** A value that the setting does not have is shown as it is, since a newer service may have more. */
function showSetting(setting: Setting, value: unknown): string {
  switch (setting.kind) {
    case "switch":
      return levelName(switchLevels, value) ?? cellText(value);
    case "level":
      return levelName(setting.levels, value) ?? cellText(value);
    case "list":
      return Array.isArray(value) ? value.map(cellText).join(", ") : cellText(value);
  }
}

function showYesOrNo(value: unknown): string {
  if (value === true) return "yes";
  return value === false ? "no" : cellText(value);
}
