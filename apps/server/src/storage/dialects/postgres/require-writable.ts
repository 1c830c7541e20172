import { CompiledQuery } from "kysely";
import { InstallationError } from "../../interface/installation-error.ts";
import type { Schema } from "../../tables/schema.ts";
import { describeConnectionError } from "./describe-connection-error.ts";
import { describeLocation } from "./describe-location.ts";
import type { PostgresDriver } from "./postgres-driver.ts";
import type { PostgresSettings } from "./postgres-url.ts";

/** What a create needs. A role that has these may still be refused other changes, as its operator has decided. */
const needed = [
  { right: "update", table: "accounts" },
  { right: "insert", table: "websites" },
  { right: "insert", table: "audit_entries" },
] as const satisfies readonly { readonly right: string; readonly table: keyof Schema }[];

/**
 * Checks that a role may change the tables. A table that does not exist is not checked.
 *
 * @throws InstallationError `read_only` that says what to do
 */
export async function requireWritable(writer: PostgresDriver, { client }: PostgresSettings): Promise<void> {
  const { isReadOnly, role, refused } = await findRights(writer).catch((error: unknown) => {
    const message = `Cannot open the ${describeLocation(client)}: ${describeConnectionError(error, client)}`;
    throw new InstallationError("cannot_open", message, error);
  });
  if (isReadOnly) {
    throw new InstallationError(
      "read_only",
      `Cannot write to the ${describeLocation(client)}: its transactions are read-only. Turn off ` +
        "`default_transaction_read_only` where it is set: for the database, the role, the server or in the URL.",
    );
  }
  if (refused.length > 0) {
    throw new InstallationError(
      "read_only",
      `Cannot write to the ${describeLocation(client)}: the role "${role}" may not ${refused.join(", ")}. Run ` +
        `\`grant select, insert, update, delete on all tables in schema public to "${role}"\` as their owner.`,
    );
  }
}

interface Rights {
  readonly isReadOnly: boolean;
  readonly role: string;
  /** What the role may not do, such as "insert rows of websites". */
  readonly refused: readonly string[];
}

const pairs = needed.map(({ right, table }) => `('${right}', '${table}')`);

/**
 * Asks for the rights instead of trying them: an insert that is rolled back takes a lock, and an ID of the account. The operator may
 * have granted them for the columns that change, instead of for the table.
 */
const rightsQuery = CompiledQuery.raw(
  `select current_setting('transaction_read_only') = 'on' as "isReadOnly", current_user as role,
    array(select action || ' rows of ' || place from (values ${pairs.join(", ")}) as needed (action, place)
      where not has_any_column_privilege(to_regclass(place), action)) as refused`,
);

async function findRights(writer: PostgresDriver): Promise<Rights> {
  // The cast is safe: the query returns one row with these columns.
  const [row] = (await writer.readRows(rightsQuery)) as [Rights];
  return row;
}
