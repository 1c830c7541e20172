import type { WebsiteSettings } from "@siteward/contract/website-settings";
import type { ListName } from "../settings/settings.ts";

/** A website as a file states it. */
export interface WebsiteEntry {
  readonly place: Place;
  /** In canonical ASCII form. */
  readonly domain: string;
  /** Only the settings that the file states, in the form in which the service stores them. */
  readonly settings: Partial<Readonly<WebsiteSettings>>;
  readonly password?: PasswordSource;
  /** The lists of the file whose entries are in these settings. */
  readonly lists?: Readonly<Partial<Record<ListName, readonly string[]>>>;
}

/** Where an entry is in its file: a line of text, or an item of a list. Both count from 1. */
export interface Place {
  readonly unit: "line" | "item";
  readonly number: number;
}

/** Where a password comes from: an environment variable, a file, or the entry itself. */
export type PasswordSource = { readonly env: string } | { readonly file: string } | { readonly value: string };
