import type { DatabaseSync } from "node:sqlite";
import { InstallationError } from "../../interface/installation-error.ts";
import { schemaMigrations } from "../../tables/schema-migrations.ts";
import { columnNames } from "../../tables/table.ts";

/**
 * Checks that an existing file is empty or a database of Siteward, and changes nothing in it. The connection is not read-only: on
 * a file in WAL mode, SQLite would then leave its other two files behind.
 *
 * @param options.mustExist whether an empty file is refused too
 * @throws InstallationError `foreign_database` or `no_database`
 */
export function requireOwnFile(
  database: DatabaseSync,
  path: string,
  { mustExist }: { readonly mustExist: boolean },
): void {
  const table = database.prepare("select name from pragma_table_info(?)").all(schemaMigrations.name);
  const columns = table.map(({ name }) => name);
  if (columnNames(schemaMigrations).every((name) => columns.includes(name))) return;
  if (!isEmpty(database)) {
    throw new InstallationError("foreign_database", `The file ${path} is a database of another program.`);
  }
  if (mustExist) throw new InstallationError("no_database", `The database file ${path} is empty.`);
}

/** Programs set these two numbers to mark a file as theirs, also before they create a table. */
function isEmpty(database: DatabaseSync): boolean {
  const facts = database.prepare(
    "select application_id or user_version or exists (select 1 from sqlite_master) " +
      "as used from pragma_application_id, pragma_user_version",
  );
  return facts.get()?.["used"] === 0;
}
