import { Privacy, type WebsiteSettings } from "@siteward/contract/website-settings";
import type { Website } from "@siteward/sdk";
import type { View } from "../output/view.ts";
import { completeSettings } from "../settings/complete-settings.ts";
import { settingNames } from "../settings/settings.ts";
import { passwordVariable } from "../site-file/format-site-file.ts";

/** A website as an import reads it: without what the service assigns. */
export interface ExportedWebsite extends WebsiteSettings {
  readonly domain: string;
  /** The environment variable from which an import reads the password. No export contains the password itself. */
  readonly password_env?: string;
}

const fields: readonly (keyof ExportedWebsite)[] = ["domain", ...settingNames, "password_env"];

/** The fields of an export, in order. */
export const exportView: View = Object.fromEntries(fields.map((field) => [field, { title: field, inList: true }]));

/** Returns a website as an import reads it. */
export function toExported(website: Website): ExportedWebsite {
  const { domain, privacy } = website;
  const source = privacy === Privacy.Password ? { password_env: passwordVariable(domain) } : {};
  return { domain, ...completeSettings(website), ...source };
}
