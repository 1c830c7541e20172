import type { NewWebsite, VersionedWebsite } from "@siteward/service";
import type { Schema } from "../../tables/schema.ts";
import { websiteRecord } from "../../tables/websites.ts";

export type WebsiteRow = Schema["websites"];

/** What the account assigns to a new website. */
type AssignedColumns = Pick<WebsiteRow, "id" | "created_at" | "updated_at">;

/** A new row without what its account assigns. */
export type UnassignedRow = Omit<WebsiteRow, keyof AssignedColumns>;

/** Returns the row of a new website, except for what its account assigns. */
export function toNewRow(accountId: number, { passwordHash, ...settings }: NewWebsite) {
  return {
    ...websiteRecord.toStored({ ...settings, password_hash: passwordHash }),
    account_id: accountId,
    version: 1,
  } satisfies UnassignedRow;
}

/** Returns the record of a row. */
export function toVersionedWebsite(row: WebsiteRow): VersionedWebsite {
  return { website: websiteRecord.fromRow(row), version: row.version };
}
