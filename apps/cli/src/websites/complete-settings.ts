import { type WebsiteSettings, websiteDefaults } from "@siteward/contract/plain";
import { bySetting, type SettingName } from "./settings.ts";

/** Returns every setting, and nothing else: one that is not stated is as the service sets it in a new website. */
export function completeSettings(stated: Partial<WebsiteSettings>): WebsiteSettings {
  const values = bySetting(({ name }) => stated[name] ?? websiteDefaults[name]);
  // Each value is that of the setting with this name.
  return values as WebsiteSettings;
}

/** Returns only the settings with these names. */
export function pickSettings(settings: WebsiteSettings, names: readonly SettingName[]): Partial<WebsiteSettings> {
  // Each value is that of the setting with this name.
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as Partial<WebsiteSettings>;
}
