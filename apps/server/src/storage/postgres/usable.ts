import { quoteForShell } from "../../own-programs.ts";
import { type Connection, ownQuery, type SqlQuery } from "../engine/connection.ts";
import { type Sql, sql } from "../engine/statement.ts";
import { InstallationError } from "../interface/installation-error.ts";
import { accounts, schemaMigrations } from "../tables/schema.ts";
import { columnNames } from "../tables/table.ts";
import type { PostgresSettings } from "./postgres-url.ts";

/**
 * Checks that the database accepts a connection, can store every domain, and does not belong to another program.
 *
 * @returns whether the database is distributed over several servers
 * @throws InstallationError that says why it cannot be used, without the password
 */
export async function requireUsable(
  reader: Connection,
  { client }: PostgresSettings,
  mustExist: boolean | undefined,
): Promise<Pick<FoundDatabase, "isDistributed">> {
  const location = describeLocation(client);
  const found = await readRow(reader, contents, client);
  const isOurs = columnNames(schemaMigrations).every((name) => found.versions.includes(name));
  if (!isOurs && (found.versions.length > 0 || found.accounts.length > 0)) {
    throw new InstallationError("foreign_database", `The ${location} contains tables of another program.`);
  }
  if (found.encoding !== "UTF8") {
    const message = `The ${location} has the encoding ${found.encoding}, but Siteward needs UTF8.`;
    throw new InstallationError("wrong_encoding", message);
  }
  if (isOurs || !mustExist) return found;
  const message = `The ${location} contains no tables of Siteward.`;
  if (found.isDistributed && (await reader.execute(worker)).length > 0)
    throw new InstallationError("not_coordinator", `${message} It is a worker of Citus.`);
  throw new InstallationError("no_database", message);
}

/** What the database is, and contains. A table that does not exist has no columns. */
interface FoundDatabase {
  /** The columns of the two tables whose names other programs use too. */
  readonly versions: readonly string[];
  readonly accounts: readonly string[];
  /** In which the server stores text. Only UTF8 has a place for the Unicode form of a domain. */
  readonly encoding: string;
  readonly isDistributed: boolean;
}

const columnsOf = (place: Sql) =>
  sql`array(select attname::text from pg_attribute where attnum > 0 and attrelid = to_regclass(${place}))`;
const contents: SqlQuery<FoundDatabase> = ownQuery(
  sql`select ${columnsOf(sql`$1`)} as versions, ${columnsOf(sql`$2`)} as accounts,
    current_setting('server_encoding') as encoding,
    exists (select 1 from pg_extension where extname = 'citus') as "isDistributed"`,
  [schemaMigrations.name, accounts.name],
);
const worker = ownQuery(sql`select from pg_dist_local_group where groupid <> 0`, []);

/** What a create needs. A role that has these may still be refused other changes, as its operator has decided. */
const needed = sql`('update', 'accounts'), ('insert', 'websites'), ('insert', 'audit_entries')`;

/** Checks that a role may change the tables that exist. @throws InstallationError `read_only` that says what to do */
export async function requireWritable(writer: Connection, { client }: PostgresSettings): Promise<void> {
  const { isReadOnly, role, refused } = await readRow(writer, rights, client);
  if (!isReadOnly && refused.length === 0) return;
  const reason = isReadOnly
    ? "its transactions are read-only. Turn off `default_transaction_read_only` where it is set: for the database, the role, " +
      "the server or in the URL."
    : `the role "${role}" may not ${refused.join(", ")}. Run ` +
      `\`grant select, insert, update, delete on all tables in schema public to "${role}"\` as their owner.`;
  throw new InstallationError("read_only", `Cannot write to the ${describeLocation(client)}: ${reason}`);
}

interface Rights {
  readonly isReadOnly: boolean;
  readonly role: string;
  /** What the role may not do, such as "insert rows of websites". */
  readonly refused: readonly string[];
}

/**
 * Asks for the rights instead of trying them: an insert that is rolled back takes a lock, and an ID of the account. The
 * operator may have granted them for the columns that change, instead of for the table.
 */
const rights: SqlQuery<Rights> = ownQuery(
  sql`select current_setting('transaction_read_only') = 'on' as "isReadOnly", current_user as role,
    array(select action || ' rows of ' || place from (values ${needed}) as needed (action, place)
      where not has_any_column_privilege(to_regclass(place), action)) as refused`,
);

/** @throws InstallationError `cannot_open` */
async function readRow<Row>(reader: Connection, query: SqlQuery<Row>, client: Client): Promise<Row> {
  try {
    // The cast is safe: the query returns one row.
    const [row] = (await reader.execute(query)) as [Row];
    return row;
  } catch (error) {
    const message = `Cannot open the ${describeLocation(client)}: ${describeConnectionError(error, client)}`;
    throw new InstallationError("cannot_open", message, error);
  }
}

type Client = PostgresSettings["client"];

/** Node's codes for a server that cannot be found or refuses connections. */
const unreachableCodes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);
/** PostgreSQL's code for a database that does not exist. */
const unknownDatabaseCode = "3D000";

/**
 * Describes why no connection could be opened, and what to do. Node.js throws an error without a message if it has
 * tried several addresses of a host.
 */
function describeConnectionError(error: unknown, client: Client): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  // The driver throws this if the server requires a password and none is set.
  if (cause.message.includes("client password must be a string")) {
    return "The server requires a password. Set it in the URL or in PGPASSWORD.";
  }
  const code = "code" in cause ? String(cause.code) : undefined;
  const check = code !== undefined && unreachableCodes.has(code) ? ". Check the URL and that PostgreSQL runs." : "";
  const remedy = code === unknownDatabaseCode ? `. Create it with \`${createDatabase(client)}\`.` : check;
  return `${cause.message || (code ?? cause.name)}${remedy}`;
}

/** Returns the command of PostgreSQL. It asks for the password itself. */
function createDatabase({ host, port, user, database }: Client): string {
  const place = { host, port, username: user, encoding: "UTF8", locale: "C", template: "template0" };
  const flags = Object.entries(place).filter(([, value]) => Boolean(value));
  const words = [...flags.map(([name, value]) => `--${name}=${value}`), ...(database ? [database] : [])];
  return ["createdb", ...words.map((word) => quoteForShell(word))].join(" ");
}

export function describeLocation({ database, host, port }: PostgresSettings["client"]): string {
  const name = database ? `PostgreSQL database ${database}` : "default PostgreSQL database";
  return `${name} on ${host || "localhost"}:${port ?? 5432}`;
}
