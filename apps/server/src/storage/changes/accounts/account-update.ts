import type { Database } from "../../database/database.ts";
import type { AccountSettings, AccountStore } from "../../interface/storage.ts";
import { auditedFields, selectAccounts, toAccount } from "../../reads/accounts/account-row.ts";
import type { AccountRow } from "../../tables/schema.ts";
import { isDifferent } from "../../tables/table.ts";
import { toAuditEntryRow } from "../audit/audit-entry.ts";
import { describeChanges } from "../audit/describe-changes.ts";
import { prepareInsertAuditEntry } from "../audit/insert-audit-entry.ts";

/** Changes the settings of an account. A change that alters nothing leaves the version and the time. */
export function prepareAccountUpdate(database: Database): AccountStore["update"] {
  const { build, dialect, now } = database;
  const insertAuditEntry = prepareInsertAuditEntry(database);
  return (id, change, by) =>
    database.write(async (transaction) => {
      const current = selectAccounts(database).where("id", "=", id).modifyEnd(dialect.forUpdate);
      const [row] = await transaction.read(current);
      if (row === undefined) return undefined;
      const changed = apply(row, change);
      if (!isDifferent(row, changed)) return toAccount(row);
      // The time never decreases, even if the clock goes backwards.
      const at = Math.max(now(), row.updated_at);
      const version = row.version + 1;
      const settings = auditedFields(changed);
      await transaction.write(
        build
          .updateTable("accounts")
          .set({ ...settings, version, updated_at: at })
          .where("id", "=", id),
      );
      const record = {
        accountId: id,
        subject: "account",
        subjectId: id,
        version,
        at,
        action: "account.updated",
      } as const;
      const changes = describeChanges(auditedFields(row), settings);
      await insertAuditEntry(transaction, toAuditEntryRow(record, { by, changes }));
      return toAccount({ ...changed, version, updated_at: at });
    });
}

function apply(row: AccountRow, { name, email, websiteLimit }: Partial<AccountSettings>): AccountRow {
  return {
    ...row,
    name: name ?? row.name,
    email: email ?? row.email,
    website_limit: websiteLimit === undefined ? row.website_limit : websiteLimit,
  };
}
