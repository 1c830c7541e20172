import { Privacy } from "@siteward/contract/plain";
import type { Website } from "@siteward/contract/types";
import { type Change, fieldsOf } from "./change.ts";

/** What a run makes public or loses for good, by domain. Whoever states it, a person should have seen it before. */
export interface Exposure {
  /** New websites that everyone will see. */
  readonly created: readonly string[];
  /** Websites that everyone will see, and that were private or had a password. */
  readonly opened: readonly string[];
  /** Websites whose password is deleted, which nobody can restore. */
  readonly passwords: readonly string[];
}

/** Counts what changes expose. A website that does not exist any more exposes nothing. */
export function countExposure(
  changes: readonly Change[],
  websiteOf: (change: Change) => Website | undefined,
): Exposure {
  const found = { created: [] as string[], opened: [] as string[], passwords: [] as string[] };
  for (const change of changes)
    for (const kind of exposureOf(change, websiteOf(change))) found[kind].push(change.domain);
  return found;
}

/** Returns what a change does to one website. */
export function exposureOf(change: Change, website: Website | undefined): readonly (keyof Exposure)[] {
  // Without a level, a new website is public.
  if (change.action === "create") return (change.set.privacy ?? Privacy.Public) === Privacy.Public ? ["created"] : [];
  if (change.action === "delete" || website === undefined) return [];
  const { privacy = Privacy.Password } = fieldsOf(change.edit, website);
  if (privacy === Privacy.Password) return [];
  return [
    ...(privacy === Privacy.Public ? ["opened" as const] : []),
    ...(website.has_password ? ["passwords" as const] : []),
  ];
}
