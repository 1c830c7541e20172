import type { Database } from "../../database/database.ts";
import type { AccountStore } from "../../interface/storage.ts";
import { auditedFields, toAccount } from "../../reads/accounts/account-row.ts";
import type { AccountRow } from "../../tables/schema.ts";
import { toAuditEntryRow } from "../audit/audit-entry.ts";
import { describeChanges } from "../audit/describe-changes.ts";
import { prepareInsertAuditEntry } from "../audit/insert-audit-entry.ts";
import { readNextAccountId } from "./next-account-id.ts";

/** Creates an account under the next id. If another one gets the id at the same time, the transaction runs again. */
export function prepareAccountCreate(database: Database): AccountStore["create"] {
  const insertAuditEntry = prepareInsertAuditEntry(database);
  return (account, by) =>
    database.write(async (transaction) => {
      const now = database.now();
      const row: AccountRow = {
        id: await readNextAccountId(transaction),
        name: account.name,
        email: account.email,
        website_count: 0,
        website_limit: account.websiteLimit,
        last_website_id: 0,
        last_website_created_at: 0,
        version: 1,
        created_at: now,
        updated_at: now,
      };
      await transaction.write(database.build.insertInto("accounts").values(row));
      const record = {
        accountId: row.id,
        subject: "account",
        subjectId: row.id,
        version: row.version,
        at: now,
      } as const;
      const changes = describeChanges({}, auditedFields(row));
      await insertAuditEntry(transaction, toAuditEntryRow({ ...record, action: "account.created" }, { by, changes }));
      return toAccount(row);
    });
}
