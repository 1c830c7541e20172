import { canonicalizeIpNetwork, listFields, websiteDefaults } from "@siteward/contract/plain";
import type { CreateWebsite, UpdateWebsite, Website } from "@siteward/contract/types";

/** A website as it was read, with its entity tag. */
export interface Version {
  readonly website: Website;
  readonly tag: string;
}

/** A version that may be known by its entity tag only. */
export type VersionTag = Pick<Version, "tag"> & Partial<Version>;

type ListField = (typeof listFields)[number];
type SettingName = Exclude<keyof UpdateWebsite, "password">;

/** Every setting. One without a default does not compile. */
const settingNames = Object.keys(websiteDefaults satisfies Record<SettingName, unknown>) as readonly SettingName[];

/** Entries of lists. They are compared as the service stores them: `203.0.113.7/32` is `203.0.113.7`. */
export type Entries = Readonly<Partial<Record<ListField, readonly string[]>>>;

/** What to change in a website. Plain data, so it can be kept, shown, and done again. */
export interface Edit {
  /** Values to set. A password is always sent, since nobody can read the one that is stored. */
  readonly set?: UpdateWebsite | undefined;
  /** Entries to add to the end of a list, unless it has them. */
  readonly add?: Entries | undefined;
  /** Entries to remove from a list. */
  readonly remove?: Entries | undefined;
}

/** One website to create. */
export interface Creation {
  readonly action: "create";
  readonly domain: string;
  readonly set: Omit<CreateWebsite, "domain">;
  /** What happens if the account has the domain: by default it is refused, or it gets `set`, unless that opens it. */
  readonly ifTaken?: "update" | undefined;
  /** The idempotency key of an attempt whose answer was lost. */
  readonly tried?: string | undefined;
}

/** What an attempt has sent that may have been made. So a later run can tell its change from those of others. */
export interface Tried {
  readonly from: Version;
  readonly fields: UpdateWebsite;
  /** Whether the answer was that there is another version: perhaps its own, since browsers repeat requests unseen. */
  readonly isRefused: boolean;
}

/** One website to update. */
export interface Update {
  readonly action: "update";
  readonly id: number;
  /** For messages. */
  readonly domain: string;
  readonly edit: Edit;
  /** Updates only this version. Without it, the update is decided anew if others change the website meanwhile. */
  readonly only?: VersionTag | undefined;
  readonly tried?: Tried | undefined;
}

/** One website to delete. */
export interface Deletion {
  readonly action: "delete";
  readonly id: number;
  /** For messages. */
  readonly domain: string;
  /** Deletes only this version. Without it, whatever the website has become. */
  readonly only?: VersionTag | undefined;
  /** Whether an attempt may have deleted it already. */
  readonly tried?: true | undefined;
}

/** What is wanted of one website. */
export type Change = Creation | Update | Deletion;

/** Returns the fields to send: only those that differ, and a password. */
export function fieldsOf({ set = {}, add = {}, remove = {} }: Edit, website: Website): UpdateWebsite {
  const wanted: Record<string, unknown> = { ...set };
  for (const field of listFields) {
    if (add[field] === undefined && remove[field] === undefined) continue;
    const removed = toStored(field, remove[field]);
    const kept = website[field].filter((entry) => !removed.includes(entry));
    wanted[field] = [...new Set([...kept, ...toStored(field, add[field])])];
  }
  return pick(wanted, (name, value) => !isStored(website, name, value));
}

/** Returns those of the fields that a website has. */
export function storedOf(fields: UpdateWebsite, website: Website): UpdateWebsite {
  return pick(fields, (name, value) => isStored(website, name, value));
}

function pick(fields: object, isPicked: (name: string, value: unknown) => boolean): UpdateWebsite {
  // Each is a field of an update with its own value.
  return Object.fromEntries(Object.entries(fields).filter((field) => isPicked(...field))) as UpdateWebsite;
}

/** Whether all settings of a website are those of an earlier version with these fields changed. */
export function isChangedOnlyBy(fields: UpdateWebsite, before: Website, after: Website): boolean {
  const wanted = { ...before, ...fields };
  return settingNames.every((name) => isStored(after, name, wanted[name]));
}

/** Returns the values that a website has in these fields. It shows no password. */
export function valuesOf(fields: UpdateWebsite, website: Partial<Website>): Partial<Pick<Website, SettingName>> {
  const { password: _, ...settings } = fields;
  // The keys are those of the settings.
  return Object.fromEntries((Object.keys(settings) as SettingName[]).map((name) => [name, website[name]]));
}

function isStored(website: Website, name: string, value: unknown): boolean {
  // The name is that of a field, or `password`, which no website shows.
  const stored = JSON.stringify(website[name as keyof Website]);
  if (value === undefined || JSON.stringify(value) === stored) return true;
  const field = listFields.find((list) => list === name);
  return field !== undefined && JSON.stringify(toStored(field, value as UpdateWebsite[ListField])) === stored;
}

/** Returns entries as the service stores them. What it would refuse stays as it is. */
function toStored(field: ListField, entries: UpdateWebsite[ListField]): readonly string[] {
  const texts = [entries ?? []].flat().flatMap((text) => text.split(/[,\r\n]/).map((entry) => entry.trim()));
  const stored = texts.map((text) => (field === "exclude_ips" ? (canonicalizeIpNetwork(text) ?? text) : text));
  return [...new Set(stored.filter((entry) => entry !== ""))];
}
