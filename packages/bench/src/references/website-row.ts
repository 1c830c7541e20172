import { websiteDefaults } from "@siteward/contract/plain";
import type { Website } from "@siteward/contract/types";

/** A row of the table, with the columns that an answer contains: lists as JSON, and times in milliseconds. */
export type WebsiteRow = { readonly [Field in keyof Website]: Column<Field> };

type Column<Field extends keyof Website> = Website[Field] extends readonly string[]
  ? string
  : Field extends "created_at" | "updated_at"
    ? number
    : Field extends "has_password"
      ? number | boolean
      : Website[Field];

const { privacy, exclude_ips: _isStated, ...otherSettings } = websiteDefaults;

/** The select list of a `WebsiteRow`. */
export const columns = [
  ...["id", "domain", "privacy", "password_hash is not null as has_password", ...Object.keys(otherSettings)],
  ...["exclude_ips", "created_at", "updated_at"],
].join(", ");

const initial = { privacy, ...otherSettings };

/** The settings of a new website: the columns of an insert, without `exclude_ips`, which a request states. */
export const initialColumns = Object.keys(initial).join(", ");
/** The values of these columns. */
export const initialValues = Object.values(initial)
  .map((value) => (typeof value === "number" ? value : "'[]'"))
  .join(", ");

/** Returns the record as it is in an answer. */
function toRecord(row: WebsiteRow): object {
  return {
    ...row,
    has_password: Boolean(row.has_password),
    exclude_params: JSON.parse(row.exclude_params),
    exclude_ips: JSON.parse(row.exclude_ips),
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}

/** Returns the answer with one record, or undefined. */
export function toAnswer(row: WebsiteRow | undefined): object | undefined {
  return row === undefined ? undefined : { data: toRecord(row) };
}

/** Returns the answer with a page. */
export function toPage(rows: readonly WebsiteRow[], total: unknown): object {
  return { data: rows.slice(0, 10).map(toRecord), meta: { per_page: 10, total } };
}
