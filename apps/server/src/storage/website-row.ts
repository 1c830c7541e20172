import type { Website } from "@siteward/contract";
import { type AliasableExpression, expressionBuilder, type SqlBool } from "kysely";
import type { Schema } from "./schema.ts";

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
