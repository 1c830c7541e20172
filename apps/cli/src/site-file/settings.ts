import { type WebsiteSettings, websiteDefaults } from "@siteward/contract/website-settings";

/** The name of a setting of a website. */
export type SettingName = keyof WebsiteSettings;

/** The settings of a website, in display order. */
// Object.keys returns strings. By their type, the defaults have exactly these keys.
export const settingNames = Object.keys(websiteDefaults) as readonly SettingName[];

/** Returns every setting, and nothing else: one that is not stated is as the service sets it in a new website. */
export function completeSettings(stated: Partial<WebsiteSettings>): WebsiteSettings {
  return {
    privacy: stated.privacy ?? websiteDefaults.privacy,
    email: stated.email ?? websiteDefaults.email,
    exclude_bots: stated.exclude_bots ?? websiteDefaults.exclude_bots,
    exclude_params: stated.exclude_params ?? [...websiteDefaults.exclude_params],
    exclude_ips: stated.exclude_ips ?? [...websiteDefaults.exclude_ips],
  };
}

/** Returns only the settings with these names. */
export function pickSettings(settings: WebsiteSettings, names: readonly SettingName[]): Partial<WebsiteSettings> {
  // Each value is that of the setting with this name.
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as Partial<WebsiteSettings>;
}
