import type { VersionedWebsite } from "../storage/storage.ts";

/** Returns the strong entity tag of a record (RFC 9110, section 8.8.3). The row version in it rises with every change. */
export function websiteTag({ website, version }: VersionedWebsite): string {
  return `"${website.id}-${version}"`;
}
