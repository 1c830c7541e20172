import type { Website } from "@siteward/contract";
import type { NewWebsite, WebsiteChange } from "@siteward/service";
import { describeChanges } from "../audit/describe-changes.ts";

/** Describes a creation for the audit trail. The id and the time of the record are those of the entry. */
export function auditCreation({ passwordHash, ...settings }: NewWebsite): string {
  return describeChanges({}, settings, passwordHash === null ? {} : { password: "set" });
}

/** Describes an update for the audit trail. Of a password it says only whether one was set or cleared. */
export function auditUpdate(before: Website, after: Website, { passwordHash }: WebsiteChange): string {
  const isSet = typeof passwordHash === "string";
  const isCleared = passwordHash === null && before.has_password;
  const password = isSet ? { password: "set" as const } : isCleared ? { password: "cleared" as const } : {};
  return describeChanges(settingsOf(before), settingsOf(after), password);
}

/** Describes a deletion for the audit trail. */
export function auditDeletion(before: Website): string {
  return describeChanges(settingsOf(before), {}, before.has_password ? { password: "cleared" } : {});
}

/** The id and the times of a record are those of the entries about it. */
function settingsOf({ id: _, has_password: __, created_at: ___, updated_at: ____, ...settings }: Website) {
  return settings;
}
