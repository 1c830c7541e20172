import type { VersionedWebsite } from "./website-change.ts";

/**
 * Returns the strong entity tag of a record (RFC 9110, section 8.8.3). The row version in it rises with every change. The
 * account is part of it, because records of several accounts have the same URL.
 */
export function websiteTag(accountId: number, { website, version }: VersionedWebsite): string {
  return `"${accountId}-${website.id}-${version}"`;
}
