import type { Database } from "../../database/database.ts";
import type { AccountSettings, AccountStore } from "../../interface/storage.ts";
import { auditedFields, selectAccounts, toAccount } from "../../reads/accounts/account-row.ts";
import { describeChanges } from "../../tables/audit-changes.ts";
import type { AccountRow } from "../../tables/schema.ts";
import { isDifferent } from "../../tables/table.ts";
import { toAuditEntryRow } from "../audit/audit-entry.ts";
import { untilNoConflict } from "../until-no-conflict.ts";
import { prepareUpdateRow } from "../update-row.ts";

/** Changes the settings of an account. A change that alters nothing leaves the version and the time. */
export function prepareUpdateAccount(database: Database): AccountStore["update"] {
  const updateRow = prepareUpdateRow(database, "accounts");
  return (id, change, by) =>
    untilNoConflict(`Account ${id}`, async () => {
      const [row] = await database.primary.read(selectAccounts(database).where("id", "=", id));
      if (row === undefined) return undefined;
      const settings = auditedFields(apply(row, change));
      if (!isDifferent(auditedFields(row), settings)) return toAccount(row);
      // Each change has a later time, even if the clock goes backwards: the entity tag of the account relies on it.
      const at = Math.max(database.now(), row.updated_at + 1);
      const version = row.version + 1;
      const subject = { subject: "account", subjectId: id, action: "account.updated" } as const;
      const changes = describeChanges(auditedFields(row), settings);
      const set = { ...settings, updated_at: at };
      const entry = toAuditEntryRow({ accountId: id, ...subject, version, at }, { by, changes });
      const isUpdated = await updateRow({ expectedVersion: row.version, set, entry });
      return isUpdated ? toAccount({ ...row, ...set, version }) : "conflict";
    });
}

function apply(row: AccountRow, { name, email, websiteLimit }: Partial<AccountSettings>) {
  return {
    name: name ?? row.name,
    email: email ?? row.email,
    website_limit: websiteLimit === undefined ? row.website_limit : websiteLimit,
  };
}
