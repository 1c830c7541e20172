import type { WebsiteChange } from "@siteward/service";
import type { Database } from "../../database/database.ts";
import { type Placeholder, prepare } from "../../database/prepare.ts";
import { websiteRecord } from "../../tables/websites.ts";
import { type AuditEntryRow, toAuditEntryRow } from "../audit/audit-entry.ts";
import { prepareInsertAuditEntry } from "../audit/insert-audit-entry.ts";
import { insertAuditEntryFrom } from "../audit/insert-audit-entry-from.ts";
import type { StorageWriter, WebsiteKey } from "../storage-writer.ts";

type ChangedColumns = ReturnType<typeof toStored>;
type Replacement = WebsiteKey & ChangedColumns & { expectedVersion: number; version: number; updated_at: number };
type Values = Replacement & AuditEntryRow;

/** Changes a website if it still has the version that the change was decided on. */
export function prepareWebsiteReplace(database: Database): StorageWriter["replaceWebsite"] {
  const prepareReplace = database.dialect.changesTablesInOneStatement
    ? prepareReplaceInOneStatement
    : prepareReplaceInTransaction;
  const statements = new PerColumns((names) => prepareReplace(database, names));
  return async ({ accountId, id, expectedVersion, change, at, discardsPassword, audit }) => {
    const changed = toStored(change);
    const version = expectedVersion + 1;
    const replacement = { ...changed, version, updated_at: at, accountId, id, expectedVersion };
    const record = { accountId, subject: "website", subjectId: id, version, action: "website.updated", at } as const;
    const isReplaced = await statements.find(changed)({ ...replacement, ...toAuditEntryRow(record, audit) });
    if (isReplaced && discardsPassword) database.eraseDeletedSoon();
    return isReplaced;
  };
}

function toStored({ passwordHash, ...settings }: WebsiteChange) {
  return websiteRecord.toStored(passwordHash === undefined ? settings : { ...settings, password_hash: passwordHash });
}

/** Replaces the columns of a website. Returns whether it had the expected version. */
type Replace = (values: Values) => Promise<boolean>;
type ColumnName = keyof ChangedColumns;

/** One prepared replacement for each set of columns that has been changed together, of at most 2⁶. */
class PerColumns {
  readonly #prepare: (names: readonly ColumnName[]) => Replace;
  readonly #prepared = new Map<string, Replace>();

  constructor(prepareReplace: (names: readonly ColumnName[]) => Replace) {
    this.#prepare = prepareReplace;
  }

  find(changed: ChangedColumns): Replace {
    // Sorted, because clients send fields in any order. The cast is safe: `toStored` sets only columns.
    const names = Object.keys(changed).toSorted() as ColumnName[];
    const key = names.join();
    const known = this.#prepared.get(key);
    if (known !== undefined) return known;
    const replace = this.#prepare(names);
    this.#prepared.set(key, replace);
    return replace;
  }
}

function prepareReplaceInOneStatement(database: Database, names: readonly ColumnName[]): Replace {
  const replace = prepare((value: Placeholder<Values>) =>
    database.build
      .with("replaced", () => replaceRow(database, value, names))
      .with("audited", () => insertAuditEntryFrom("replaced", value, {}))
      .selectFrom("replaced")
      .select("id"),
  );
  return async (values) => {
    const replaced = await database.writeOne(replace(values));
    return replaced.length > 0;
  };
}

function prepareReplaceInTransaction(database: Database, names: readonly ColumnName[]): Replace {
  const replace = prepare((value: Placeholder<Values>) => replaceRow(database, value, names));
  const insertAuditEntry = prepareInsertAuditEntry(database);
  return (values) =>
    database.write(async (transaction) => {
      const replaced = await transaction.write(replace(values));
      if (replaced.length > 0) await insertAuditEntry(transaction, values);
      return replaced.length > 0;
    });
}

function replaceRow({ build }: Database, value: Placeholder<Replacement>, names: readonly ColumnName[]) {
  return build
    .updateTable("websites")
    .set(Object.fromEntries([...names, "version" as const, "updated_at" as const].map((name) => [name, value(name)])))
    .where("account_id", "=", value("accountId"))
    .where("id", "=", value("id"))
    .where("version", "=", value("expectedVersion"))
    .returning("id");
}
