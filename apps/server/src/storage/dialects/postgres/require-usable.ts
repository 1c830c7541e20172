import { CompiledQuery } from "kysely";
import { InstallationError } from "../../interface/installation-error.ts";
import { accounts } from "../../tables/accounts.ts";
import { schemaMigrations } from "../../tables/schema-migrations.ts";
import { columnNames } from "../../tables/table.ts";
import { describeConnectionError } from "./describe-connection-error.ts";
import { describeLocation } from "./describe-location.ts";
import type { PostgresDriver } from "./postgres-driver.ts";
import type { PostgresSettings } from "./postgres-url.ts";

/**
 * Checks that the database accepts a connection, can store every domain, and does not belong to another program.
 *
 * @returns whether the database is distributed over several servers
 * @throws InstallationError that says why it cannot be used, without the password
 */
export async function requireUsable(
  reader: PostgresDriver,
  { client }: PostgresSettings,
  mustExist: boolean,
): Promise<Pick<FoundDatabase, "isDistributed">> {
  const location = describeLocation(client);
  const found = await findDatabase(reader).catch((error: unknown) => {
    throw new InstallationError(
      "cannot_open",
      `Cannot open the ${location}: ${describeConnectionError(error, client)}`,
      error,
    );
  });
  const isOurs = columnNames(schemaMigrations).every((name) => found.versions.includes(name));
  if (!isOurs && (found.versions.length > 0 || found.accounts.length > 0)) {
    throw new InstallationError("foreign_database", `The ${location} contains tables of another program.`);
  }
  if (found.encoding !== "UTF8") {
    const message = `The ${location} has the encoding ${found.encoding}, but Siteward needs UTF8.`;
    throw new InstallationError("wrong_encoding", message);
  }
  if (!isOurs && mustExist) {
    if (found.isDistributed && (await isWorker(reader))) {
      const message = `The ${location} contains no tables of Siteward. It is a worker of Citus.`;
      throw new InstallationError("not_coordinator", message);
    }
    throw new InstallationError("no_database", `The ${location} contains no tables of Siteward.`);
  }
  return found;
}

/** What the database is, and contains. A table that does not exist has no columns. */
interface FoundDatabase {
  /** The columns of the two tables whose names other programs use too. */
  readonly versions: readonly string[];
  readonly accounts: readonly string[];
  /** In which the server stores text. Any other than UTF8 has no place for the Unicode form of a domain, or counts its bytes. */
  readonly encoding: string;
  /** Whether it has Citus. */
  readonly isDistributed: boolean;
}

const columnsOf = "array(select attname::text from pg_attribute where attnum > 0 and attrelid = to_regclass($1))";
const contents = CompiledQuery.raw(
  `select ${columnsOf} as versions, ${columnsOf.replace("$1", "$2")} as accounts,
    current_setting('server_encoding') as encoding,
    exists (select 1 from pg_extension where extname = 'citus') as "isDistributed"`,
  [schemaMigrations.name, accounts.name],
);

async function isWorker(reader: PostgresDriver): Promise<boolean> {
  const workers = CompiledQuery.raw("select from pg_dist_local_group where groupid <> 0", []);
  return (await reader.readRows(workers)).length > 0;
}

async function findDatabase(reader: PostgresDriver): Promise<FoundDatabase> {
  // The cast is safe: the query returns one row with these columns.
  const [row] = (await reader.readRows(contents)) as [FoundDatabase];
  return row;
}
