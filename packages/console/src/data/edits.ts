import { Privacy, type Website } from "@siteward/sdk";
import { type Edit, fieldsOf, type Update } from "@siteward/sdk/bulk";
import { describeEdit } from "../words/settings.ts";
import type { Row } from "./websites.ts";

/** Whether an edit changes nothing, whatever a website is like. */
export const isEmpty = (edit: Edit) => describeEdit(edit).length === 0;

/** Whether an edit changes nothing of a website. A mirror only promises that nobody changes its lists. */
export const isDone = (edit: Edit, row: Row) => Object.keys(fieldsOf(edit, row as Website)).length === 0;

export function toUpdates(rows: readonly Row[], edit: Edit): Update[] {
  return rows.map(({ id, domain }) => ({ action: "update", id, domain, edit }));
}

/** Returns how many of these would differ, as they are known, and what is exposed by that. The run reads them again. */
export function preview(rows: readonly Row[], edit: Edit) {
  const exposed = { opened: [] as string[], passwords: [] as string[] };
  let differing = 0;
  for (const row of rows) {
    // A mirror only promises that nobody changes its lists.
    const fields = fieldsOf(edit, row as Website);
    if (Object.keys(fields).length > 0) differing += 1;
    if (fields.privacy === Privacy.Public) exposed.opened.push(row.domain);
    if (row.has_password && (fields.privacy ?? Privacy.Password) !== Privacy.Password)
      exposed.passwords.push(row.domain);
  }
  return { differing, exposed };
}
