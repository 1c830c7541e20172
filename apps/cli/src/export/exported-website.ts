import { Privacy, type WebsiteSettings } from "@siteward/contract/website-settings";
import type { Website } from "@siteward/sdk";
import type { Column } from "../output/view.ts";
import { passwordVariable } from "../site-file/format-site-file.ts";
import { completeSettings } from "../site-file/settings.ts";

/** A website as an import reads it: without what the service assigns. */
export interface ExportedWebsite extends WebsiteSettings {
  readonly domain: string;
  /** The environment variable from which an import reads the password. No export contains the password itself. */
  readonly password_env?: string;
}

/** The fields of an export, in order. */
export const exportView = {
  domain: { title: "domain", inList: true },
  privacy: { title: "privacy", inList: true },
  email: { title: "email", inList: true },
  exclude_bots: { title: "exclude_bots", inList: true },
  exclude_params: { title: "exclude_params", inList: true },
  exclude_ips: { title: "exclude_ips", inList: true },
  password_env: { title: "password_env", inList: true },
} satisfies Record<keyof ExportedWebsite, Column>;

/** Returns a website as an import reads it. */
export function toExported(website: Website): ExportedWebsite {
  const { domain, privacy } = website;
  const source = privacy === Privacy.Password ? { password_env: passwordVariable(domain) } : {};
  return { domain, ...completeSettings(website), ...source };
}
