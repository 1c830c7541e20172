import type { WebsiteSettings } from "@siteward/contract/plain";
import type { Website } from "@siteward/sdk";
import { completeSettings } from "../../src/websites/settings.ts";

const time = "2026-11-20T10:00:00.000Z";

/** Returns a website with these settings, and a password if they require one. The domain can be one that no service accepts. */
export function buildWebsite(id: number, domain: string, settings: Partial<WebsiteSettings> = {}): Website {
  const complete = completeSettings(settings);
  return { id, domain, ...complete, has_password: complete.privacy === 2, created_at: time, updated_at: time };
}
