import { Privacy, type Website } from "@siteward/sdk";
import { type Edit, fieldsOf, type Update } from "@siteward/sdk/bulk";
import { many } from "../words/text.ts";
import type { Row } from "./websites.ts";

/** Whether an edit changes nothing, whatever a website is like. */
export function isEmpty({ set, add, remove }: Edit): boolean {
  const parts = [Object.keys({ ...set }), Object.values({ ...add }), Object.values({ ...remove })].flat(2);
  return parts.every((part) => part.trim() === "");
}

export function toUpdates(rows: readonly Row[], edit: Edit): Update[] {
  return rows.map(({ website: { id, domain } }) => ({ action: "update", id, domain, edit }));
}

/** Returns how many of these would differ, as they are known, and what is exposed by that. The run reads them again. */
export function preview(rows: readonly Row[], edit: Edit) {
  const exposure = { opened: 0, passwords: 0 };
  let differing = 0;
  for (const { website } of rows) {
    // A mirror only promises that nobody changes its lists.
    const fields = fieldsOf(edit, website as Website);
    if (Object.keys(fields).length > 0) differing += 1;
    if (fields.privacy === Privacy.Public) exposure.opened += 1;
    if (website.has_password && (fields.privacy ?? Privacy.Password) !== Privacy.Password) exposure.passwords += 1;
  }
  return { differing, ...exposure };
}

/** Such as `4 websites will become public. 2 passwords will be deleted, which cannot be undone.` */
export function warn({ opened, passwords }: { readonly opened: number; readonly passwords: number }): string {
  const open = opened > 0 ? `${many(opened)} will become public. ` : "";
  return open + (passwords > 0 ? `${many(passwords, "password")} will be deleted, which cannot be undone.` : "");
}
