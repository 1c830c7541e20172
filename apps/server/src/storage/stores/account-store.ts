import type { StoredAccount } from "@siteward/service";
import { toAuditEntryRow } from "../changes/trail.ts";
import { assignId, untilNoConflict, updateRow } from "../changes/update-row.ts";
import { insertRows } from "../engine/change.ts";
import type { Database } from "../engine/database.ts";
import type { AccountSettings, AccountStore, Each } from "../interface/storage.ts";
import { auditedFields, createAccountReads, findAccount, toAccount } from "../reads/account-reads.ts";
import { describeChanges } from "../tables/audit-changes.ts";
import { type AccountRow, accounts, auditEntries } from "../tables/schema.ts";

/** Creates the store of accounts. A deletion concerns every store, so it is not part of this one. */
export function createAccountStore(database: Database): Omit<AccountStore, "delete"> {
  return {
    ...createAccountReads(database),
    /** If another account gets one of the ids at the same time, the change runs again. */
    createAll: (all, by) =>
      database.write(async (transaction) => {
        const at = database.now();
        const firstId = await assignId(transaction, "accounts", "account_id");
        const rows = all.map((settings, index): AccountRow => ({ ...toNewRow(settings, at), id: firstId + index }));
        const entries = rows.map((row) => {
          const subject = { account_id: row.id, subject: "account", subject_id: row.id, version: 1, at } as const;
          const changes = describeChanges({}, auditedFields(row));
          return toAuditEntryRow({ ...subject, action: "account.created" }, { by, changes });
        });
        await insertRows(transaction, accounts, rows);
        await insertRows(transaction, auditEntries, entries);
        // The cast is safe: each row is that of the settings in its place.
        return rows.map(toAccount) as Each<typeof all, StoredAccount>;
      }),
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

function toNewRow({ name, email, websiteLimit }: AccountSettings, at: number): Omit<AccountRow, "id"> {
  const websites = { website_count: 0, website_limit: websiteLimit, last_website_id: 0, last_website_created_at: 0 };
  const trail = { trail_day: 0, trail_bytes: 0, change_count: 0, changed_at: at, counted_since: at };
  return { name, email, ...websites, ...trail, version: 1, created_at: at, updated_at: at };
}

function apply(row: AccountRow, { name, email, websiteLimit }: Partial<AccountSettings>) {
  return {
    name: name ?? row.name,
    email: email ?? row.email,
    website_limit: websiteLimit === undefined ? row.website_limit : websiteLimit,
  };
}
