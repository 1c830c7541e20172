import type { WebsiteSettings } from "@siteward/contract/website-settings";
import type { Website } from "@siteward/sdk";
import type { PasswordSource, Place } from "../entries/website-entry.ts";

/** What to change, so that the account has what a file lists. */
export interface Plan {
  /** Creates and updates in the order of the file, then deletes in the order of the domains. */
  readonly changes: readonly Change[];
  /** How many websites already have the settings of the file. */
  readonly unchanged: number;
  /** How many websites of the account are not in the file and stay as they are. */
  readonly unlisted: number;
}

/** One website to create, update or delete. */
export type Change = Creation | Update | Deletion;

/** A website that the account does not have. */
export interface Creation {
  readonly action: "create";
  readonly domain: string;
  readonly place: Place;
  readonly settings: WebsiteSettings;
  readonly password?: PasswordSource;
}

/** A website with other settings than in the file. */
export interface Update {
  readonly action: "update";
  readonly domain: string;
  readonly place: Place;
  /** The website when the plan was computed. */
  readonly website: Website;
  /** Only those that change. */
  readonly settings: Partial<WebsiteSettings>;
  /** The password to send, if one is sent. */
  readonly password?: PasswordSource;
}

/** A website that is not in the file. */
export interface Deletion {
  readonly action: "delete";
  readonly domain: string;
  /** The website when the plan was computed. */
  readonly website: Website;
}
