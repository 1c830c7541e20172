import { createHash } from "node:crypto";
import { listNames, type Sql, sql } from "../tables/sql.ts";

export { joinSql, listNames, type Sql, sql } from "../tables/sql.ts";

/** SQL in which `:name` is a value that is passed each time. A string alone runs seldom, or may take long. */
export type Statement<Row> = Sql | DescribedStatement<Row>;

interface DescribedStatement<Row> {
  readonly sql: Sql;
  /** By default, rows are objects by column name. */
  readonly readRows?: ReadRows<Row> | undefined;
  /** Whether it runs often and takes a short time, so that engines keep it prepared. */
  readonly isPrepared?: boolean;
}

/** Converts rows from arrays of values, in the order of the select list. */
export type ReadRows<Row> = (rows: readonly (readonly unknown[])[]) => Row[];

export function prepared<Row = object>(sql: Sql, readRows?: ReadRows<Row>): Statement<Row> {
  return { sql, readRows, isPrepared: true };
}

/** A query for the driver of an engine, in its syntax. */
export interface SqlQuery<Row = unknown> {
  readonly sql: Sql;
  /** The values, in the order of their numbers. */
  readonly parameters: readonly unknown[];
  /** The name under which an engine may keep the statement prepared. Undefined if the query does not run often. */
  readonly name?: string;
  /** The account whose rows it reads or changes. Undefined if it names none. */
  readonly accountId?: number | undefined;
  /** Undefined if rows are objects by column name. */
  readonly readRows?: ReadRows<Row> | undefined;
  /** Whether an engine may run the statement as late as right before the commit. */
  readonly runsAtCommit?: boolean;
}

/** A query in the syntax of one engine, which its own folder sends. */
export function ownQuery<Row = object>(sql: Sql, parameters: readonly unknown[] = []): SqlQuery<Row> {
  return { sql, parameters };
}

/** What an engine has before the number of a value, such as `?1`. A name has one number. */
export type Mark = "$" | "?";

interface Compiled {
  readonly sql: Sql;
  readonly names: readonly string[];
  readonly name: string;
}

/** More than a server needs. */
const maxCompiled = 1_000;
const compiled: Readonly<Record<Mark, Map<string, Compiled>>> = { $: new Map(), "?": new Map() };

/**
 * Binds values to a statement, whose text is compiled once. A value that is called `accountId` or `account_id` is its
 * account. Without it, Citus has no node to wait for alone, and the statement may delay those of all accounts.
 */
export function bind<Row>(mark: Mark, statement: Statement<Row>, values: object = {}): SqlQuery<Row> {
  const described: DescribedStatement<Row> = typeof statement === "string" ? { sql: statement } : statement;
  const { sql: text, readRows, isPrepared } = described;
  // The cast is safe: every object has its values by name.
  const byName = values as Readonly<Record<string, unknown>>;
  const { sql, names, name } = compiled[mark].get(text) ?? compile(mark, text, byName);
  const parameters = names.map((value) => byName[value]);
  return isPrepared ? { sql, parameters, name, accountId: accountOf(values), readRows } : { sql, parameters, readRows };
}

/** @throws Error if a value is missing, such as one whose name is misspelt */
function compile(mark: Mark, text: Sql, values: object): Compiled {
  const numbers = new Map<string, number>();
  const sql = text.replace(/(?<!:):([a-z][\w.]*)/gi, (_, name) => {
    if (!(name in values)) throw new Error(`The value :${name} is missing: ${text}`);
    const number = numbers.get(name) ?? numbers.size + 1;
    numbers.set(name, number);
    return `${mark}${number}`;
    // The cast is safe: numbers took the places of names.
  }) as Sql;
  const names = [...numbers.keys()];
  const name = createHash("sha256").update(sql).digest("base64url");
  if (compiled[mark].size >= maxCompiled) compiled[mark].clear();
  compiled[mark].set(text, { sql, names, name });
  return { sql, names, name };
}

/** Returns the account that a statement names. */
export function accountOf(values: { readonly accountId?: unknown; readonly account_id?: unknown }): number | undefined {
  // The cast is safe: values with these names are ids.
  return (values.accountId ?? values.account_id) as number | undefined;
}

/**
 * The limit of rows in the order of an index, after those that are skipped. PostgreSQL cannot see it in this form. If
 * it saw that it is not less than the rows it expects in an account, it would read and sort the entire account, however
 * large that is by now.
 */
export function firstRows(count: number, skipped?: Sql | number): Sql {
  const limit = sql`limit (select ${count})`;
  return skipped === undefined ? limit : sql`${limit} offset (select ${skipped})`;
}

/** Names each entry of a list, for `in (...)`: SQL has no value that is a list. */
export function nameEach(name: string, entries: readonly unknown[]): { readonly names: Sql; readonly values: object } {
  const each = entries.map((_, index) => `${name}${index}`);
  const values = Object.fromEntries(each.map((value, index) => [value, entries[index]]));
  return { names: listNames(each, (value) => sql`:${value}`), values };
}
