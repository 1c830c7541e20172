import { createHash } from "node:crypto";
import type { CompiledQuery } from "kysely";
import type { SqlQuery } from "./connection.ts";

export interface Compilable<Row> {
  compile(): CompiledQuery<Row>;
}

/** Returns a placeholder for a value that is passed each time the query runs. */
export type Placeholder<Values> = <Name extends keyof Values>(name: Name) => Values[Name];

/** Binds values to a query that was compiled once. */
export type Prepared<Values, Row> = (values: Values) => SqlQuery<Row>;

/**
 * Compiles a query once. Kysely takes longer to build a query than an embedded database takes to answer it. A value
 * that is called `accountId` or `account_id` is the account of the query. Without it, Citus has no node to wait for
 * alone, and the query may delay those of all accounts.
 */
export function prepare<Values extends object, Row>(
  query: (value: Placeholder<Values>) => Compilable<Row> | SqlQuery<Row>,
): Prepared<Values, Row> {
  const placeholder = (name: keyof Values): unknown => new Slot(name);
  // The cast is safe: Kysely copies values into the parameters without reading them, so it accepts a slot for a value.
  const built = query(placeholder as Placeholder<Values>);
  const { sql, parameters, readRows }: SqlQuery<Row> = "compile" in built ? built.compile() : built;
  const name = createHash("sha256").update(sql).digest("base64url");
  const bind = (values: Values) =>
    parameters.map((parameter) =>
      // The cast is safe: only `placeholder` creates slots, with names of values.
      parameter instanceof Slot ? values[parameter.name as keyof Values] : parameter,
    );
  return (values) => {
    const accountId = accountOf(values);
    return { sql, parameters: bind(values), name, accountId, readRows };
  };
}

/** Returns the account that a query or a change names. */
export function accountOf(values: { readonly accountId?: unknown; readonly account_id?: unknown }): number | undefined {
  // The cast is safe: values with these names are ids.
  return (values.accountId ?? values.account_id) as number | undefined;
}

/** The position of a value in the parameters of a prepared query. */
class Slot {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}
