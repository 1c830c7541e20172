import type { StoredAccount } from "@siteward/service";
import { toAuditEntryRow } from "../changes/trail.ts";
import { assignId, untilNoConflict, updateRow } from "../changes/update-row.ts";
import { insertInto } from "../engine/change.ts";
import type { Database } from "../engine/database.ts";
import type { AccountSettings, AccountStore } from "../interface/storage.ts";
import { auditedFields, createAccountReads, findAccount, toAccount } from "../reads/account-reads.ts";
import { describeChanges } from "../tables/audit-changes.ts";
import type { AccountRow } from "../tables/schema.ts";

/** Creates the store of accounts. A deletion concerns every store, so it is not part of this one. */
export function createAccountStore(database: Database): Omit<AccountStore, "delete"> {
  return {
    ...createAccountReads(database),
    /** Creates an account under the next id. If another one gets the id at the same time, the change runs again. */
    async create({ name, email, websiteLimit }, by): Promise<StoredAccount> {
      const at = database.now();
      const subject = { subject: "account", action: "account.created" } as const;
      const row: Omit<AccountRow, "id"> = {
        name,
        email,
        website_count: 0,
        website_limit: websiteLimit,
        last_website_id: 0,
        last_website_created_at: 0,
        version: 1,
        created_at: at,
        updated_at: at,
        trail_day: 0,
        trail_bytes: 0,
        change_count: 0,
        changed_at: at,
        counted_since: at,
      };
      const changes = describeChanges({}, auditedFields(row));
      return database.write(async (transaction) => {
        const id = await assignId(transaction, "accounts", "account_id");
        await transaction.write(insertInto("accounts"), { ...row, id });
        const entry = toAuditEntryRow({ ...subject, account_id: id, subject_id: id, version: 1, at }, { by, changes });
        await transaction.write(insertInto("audit_entries"), entry);
        return toAccount({ ...row, id });
      });
    },
    /** Changes the settings of an account. A change that alters nothing leaves the version and the time. */
    update: (id, change, by) =>
      untilNoConflict(`Account ${id}`, async () => {
        const row = await findAccount(database, id);
        if (row === undefined) return undefined;
        const settings = auditedFields(apply(row, change));
        const changes = describeChanges(auditedFields(row), settings);
        if (changes === "{}") return toAccount(row);
        // Each change has a later time, even if the clock goes backwards: the entity tag of the account relies on it.
        const at = Math.max(database.now(), row.updated_at + 1);
        const version = row.version + 1;
        const subject = { subject: "account", subject_id: id, action: "account.updated" } as const;
        const set = { ...settings, updated_at: at };
        const entry = toAuditEntryRow({ account_id: id, ...subject, version, at }, { by, changes });
        const update = { expectedVersion: row.version, set, entry };
        const isUpdated = await database.write((transaction) => updateRow(transaction, "accounts", update));
        return isUpdated ? toAccount({ ...row, ...set, version }) : "conflict";
      }),
  };
}

function apply(row: AccountRow, { name, email, websiteLimit }: Partial<AccountSettings>) {
  return {
    name: name ?? row.name,
    email: email ?? row.email,
    website_limit: websiteLimit === undefined ? row.website_limit : websiteLimit,
  };
}
