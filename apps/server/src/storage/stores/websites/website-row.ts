import type { Website } from "@siteward/contract";
import { type AliasableExpression, expressionBuilder, type SqlBool } from "kysely";
import type { Schema } from "../../tables/schema.ts";

/** The columns of a website that the interface shows. The password is not among them. */
export const websiteColumns = [
  "websites.id",
  "websites.domain",
  "websites.privacy",
  "websites.email",
  "websites.exclude_bots",
  "websites.exclude_params",
  "websites.exclude_ips",
  "websites.created_at",
  "websites.updated_at",
] as const;

/** Whether the website has a password, without reading it. */
export function hasPassword(): AliasableExpression<SqlBool> {
  return expressionBuilder<Schema, "websites">()("websites.password_hash", "is not", null);
}

export interface WebsiteRow {
  readonly id: number;
  readonly domain: string;
  readonly privacy: 0 | 1 | 2;
  readonly has_password: SqlBool;
  readonly email: 0 | 1;
  readonly exclude_bots: 0 | 1;
  readonly exclude_params: string;
  readonly exclude_ips: string;
  readonly created_at: number;
  readonly updated_at: number;
}

/** Makes a row of values that a query gave in the order of `websiteColumns` and `hasPassword`. */
export function readWebsiteRow(values: readonly unknown[]): WebsiteRow {
  const [id, domain, privacy, email, exclude_bots, exclude_params, exclude_ips, created_at, updated_at, has_password] =
    // The query's select list is that of these columns.
    values as WebsiteValues;
  return {
    id,
    domain,
    privacy,
    has_password,
    email,
    exclude_bots,
    exclude_params,
    exclude_ips,
    created_at,
    updated_at,
  };
}

/** The types of columns, in their order. */
type ValuesOf<Columns extends readonly string[]> = {
  [Index in keyof Columns]: Columns[Index] extends `websites.${infer Name extends keyof WebsiteRow}`
    ? WebsiteRow[Name]
    : never;
};

type WebsiteValues = readonly [...ValuesOf<typeof websiteColumns>, WebsiteRow["has_password"], ...unknown[]];

export function toWebsite(row: WebsiteRow): Website {
  const createdAt = new Date(row.created_at).toISOString();
  return {
    id: row.id,
    domain: row.domain,
    privacy: row.privacy,
    has_password: Boolean(row.has_password),
    email: row.email,
    exclude_bots: row.exclude_bots,
    exclude_params: toEntries(row.exclude_params),
    exclude_ips: toEntries(row.exclude_ips),
    created_at: createdAt,
    updated_at: row.updated_at === row.created_at ? createdAt : new Date(row.updated_at).toISOString(),
  };
}

function toEntries(json: string): string[] {
  // Only `website-create` and `website-update` write the column.
  return json === "[]" ? [] : (JSON.parse(json) as string[]);
}
