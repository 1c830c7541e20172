import type { WebsiteSettings } from "@siteward/contract/website-settings";
import type { Website } from "@siteward/sdk";
import { newWebsite } from "./fake-operations.ts";

/** Returns a website with these settings, and a password if they require one. */
export function buildWebsite(id: number, domain: string, settings: Partial<WebsiteSettings> = {}): Website {
  const password = settings.privacy === 2 ? { password: "correct horse" } : {};
  return newWebsite(id, { domain, ...settings, ...password });
}
