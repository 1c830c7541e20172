import type { VersionedWebsite } from "../storage/storage.ts";

/** The strong entity tag (RFC 9110, section 8.8.3) of a record: its row version, which rises with every change. */
export function entityTagOf({ website, version }: VersionedWebsite): string {
  return `"${website.id}-${version}"`;
}
