import type { Website } from "@siteward/contract";

/** A record and its row version, which starts at 1 and increases with every change. The entity tag is derived from it. */
export interface VersionedWebsite {
  readonly website: Website;
  readonly version: number;
}

/** The settings of a website that a client chooses. */
export type WebsiteSettings = Omit<Website, "id" | "domain" | "has_password" | "created_at" | "updated_at">;

export interface WebsiteChange extends Partial<WebsiteSettings> {
  /** Argon2id PHC string. Null removes the password. Undefined keeps it. */
  readonly passwordHash?: string | null;
}
