import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import type { Placeholder } from "../database/prepare.ts";
import type { Change, Run } from "../run/change.ts";
import { prepareRun } from "../run/prepare-run.ts";
import { rowOf, Steps, type StepTools } from "../run/steps.ts";
import { type Schema, tables } from "../tables/schema.ts";
import type { AuditEntryRow } from "./audit/audit-entry.ts";

/** A table whose rows have a version. */
type VersionedTable = "websites" | "api_keys" | "accounts";

/** A change of a row that was decided on one version of it. */
interface RowUpdate<Name extends VersionedTable, Entry> {
  readonly expectedVersion: number;
  /** The columns that change, besides the version. */
  readonly set: Partial<Omit<Schema[Name], keyof AuditEntryRow>>;
  /** The entry in the audit trail, which names the row and its next version. */
  readonly entry: Entry;
}

/** Also contains the columns that change, by name. No column that changes has the name of one of the entry. */
export type UpdateValues = AuditEntryRow & { readonly expectedVersion: number };

/**
 * Changes a row if it still has the version that the change was decided on, and records that in the audit trail. Returns
 * whether it had.
 *
 * @param describe describes the update of the columns with these names. By default, it changes nothing but the row and the trail.
 */
export function prepareUpdateRow<Name extends VersionedTable, Entry extends AuditEntryRow = AuditEntryRow>(
  database: Database,
  table: Name,
  describe: (names: readonly string[]) => Change<UpdateValues & Entry, object> = (names) =>
    describeUpdate(table, names),
): (update: RowUpdate<Name, Entry>) => Promise<boolean> {
  const prepared = new Map<string, Run<UpdateValues & Entry, object>>();
  return async ({ expectedVersion, set, entry }) => {
    // Sorted, because clients send fields in any order. Of a website, there are at most 2⁶ sets of columns.
    const names = Object.keys(set).toSorted();
    const key = names.join();
    const update = prepared.get(key) ?? prepareRun(database, describe(names));
    prepared.set(key, update);
    return (await update({ ...set, ...entry, expectedVersion })) !== undefined;
  };
}

function describeUpdate(table: VersionedTable, names: readonly string[]): Change<UpdateValues, object> {
  const { list: steps } = new Steps<UpdateValues>()
    .step("updated", (tools) => updateVersion(table, names, tools))
    .step(
      "audited",
      ({ value, insertAfter }) => insertAfter("updated", "audit_entries", rowOf("audit_entries", value, {})),
      "last",
    );
  return { steps, result: "updated" };
}

/** Builds the update of a row that has the expected version. */
export function updateVersion(
  table: VersionedTable,
  names: readonly string[],
  { build, value }: Pick<StepTools<UpdateValues, unknown>, "build" | "value">,
) {
  // The casts are safe: all of these tables have an id and a version, and the values contain the columns that change.
  const update = build
    .updateTable(table as "websites")
    .set(Object.fromEntries([...names, "version"].map((name) => [name, value(name as never)])))
    .where("id", "=", value("subject_id"))
    .where("version", "=", value("expectedVersion"))
    .returning("id");
  return "account_id" in tables[table].columns ? update.where("account_id", "=", value("account_id")) : update;
}

/**
 * Whether a website with the expected version is the one that the change was decided on. A standby without the last changes that takes
 * over counts their versions again, with other contents.
 */
export function isAsDecidedOn(value: Placeholder<Pick<AuditEntryRow, "previous_at">>) {
  return sql<boolean>`updated_at = ${value("previous_at")}`;
}
