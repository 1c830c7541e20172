import type { WebsiteSettings } from "@siteward/contract/website-settings";
import type { Website } from "@siteward/sdk";
import type { PasswordSource, Place, WebsiteEntry } from "../entries/website-entry.ts";
import type { Verdict } from "./result.ts";

/** What to do with one website: change it, or nothing. */
export type Decision = Change | Settled;

/** One website to create, update or delete. */
export type Change = Creation | Update | Deletion;

/** A website that the account does not have. */
export interface Creation {
  readonly action: "create";
  readonly domain: string;
  readonly place: Place;
  readonly settings: Partial<WebsiteSettings>;
  readonly password?: PasswordSource;
}

/** A website with other settings than in the file. */
export interface Update {
  readonly action: "update";
  readonly domain: string;
  readonly place: Place;
  /** The website when the change was decided. */
  readonly website: Website;
  /** Only those that change. */
  readonly settings: Partial<WebsiteSettings>;
  /** The password to send, if one is sent. */
  readonly password?: PasswordSource;
  /** The lists of the file whose entries are in these settings. */
  readonly lists?: WebsiteEntry["lists"];
}

/** A website that is not in the file. */
export interface Deletion {
  readonly action: "delete";
  readonly domain: string;
  readonly place?: undefined;
  /** The website when the change was decided. */
  readonly website: Website;
}

/** A website to which nothing is sent, because it needs no change or cannot have it. */
interface Settled {
  readonly action: "none";
  readonly domain: string;
  readonly place: Place;
  readonly verdict: Verdict;
}

/** Returns the ID of the website, if it exists. */
export function idOf(decision: Decision): number | undefined {
  if (decision.action === "none") return decision.verdict.id;
  return decision.action === "create" ? undefined : decision.website.id;
}
