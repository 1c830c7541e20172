import type { Database } from "../../database/database.ts";
import { type AuditEntryRow, toAuditEntryRow } from "../audit/audit-entry.ts";
import type { StorageWriter } from "../storage-writer.ts";
import { prepareDeleteInOneStatement } from "./delete-in-one-statement.ts";
import { prepareDeleteInTransaction } from "./delete-in-transaction.ts";
import type { WebsiteVersion } from "./delete-website-row.ts";

/** Deletes a website. Returns whether it existed and had the expected version. */
export type DeleteWebsite = (deletion: WebsiteVersion & AuditEntryRow) => Promise<boolean>;

/** Deletes a website if it still has the version that the deletion was decided on, and no longer counts it in its account. */
export function prepareWebsiteDelete(database: Database): StorageWriter["deleteWebsite"] {
  const remove: DeleteWebsite = database.dialect.changesTablesInOneStatement
    ? prepareDeleteInOneStatement(database)
    : prepareDeleteInTransaction(database);
  return async ({ accountId, id, expectedVersion, at, discardsPassword, audit }) => {
    const version = expectedVersion + 1;
    const record = { accountId, subject: "website", subjectId: id, version, action: "website.deleted", at } as const;
    const isDeleted = await remove({ accountId, id, expectedVersion, ...toAuditEntryRow(record, audit) });
    if (isDeleted && discardsPassword) database.eraseDeletedSoon();
    return isDeleted;
  };
}
