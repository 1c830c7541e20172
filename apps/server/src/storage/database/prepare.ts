import { createHash } from "node:crypto";
import { isAnnotated, type Query } from "../dialects/connection.ts";
import { BoundQuery, type Compilable } from "./bound-query.ts";

/** Returns a placeholder for a value that is passed each time the query runs. */
export type Placeholder<Values> = <Name extends keyof Values>(name: Name) => Values[Name];

/** Binds values to a query that was compiled once. */
export type Prepared<Values, Row> = (values: Values) => Query<Row>;

/**
 * Compiles a query once. Kysely takes longer to build a query than an embedded database takes to answer it.
 *
 * @example
 * const findById = prepare((value: Placeholder<{ id: number }>) =>
 *   build.selectFrom("accounts").select(["id", "name"]).where("id", "=", value("id")),
 * );
 * const [account] = await primary.read(findById({ id: 1 }));
 */
export function prepare<Values, Row>(query: (value: Placeholder<Values>) => Compilable<Row>): Prepared<Values, Row> {
  const placeholder = (name: keyof Values): unknown => new Slot(name);
  // The cast is safe: Kysely copies values into the parameters without reading them, so it accepts a slot for a value.
  const compiled = query(placeholder as Placeholder<Values>).compile();
  const { sql, query: node, queryId } = compiled;
  const name = createHash("sha256").update(sql).digest("base64url");
  const readRows = isAnnotated(compiled) ? compiled.readRows : undefined;
  const fixed = { sql, query: node, queryId, name, readRows };
  return (values) => {
    const parameters = compiled.parameters.map((parameter) =>
      // The cast is safe: only `placeholder` creates slots, with names of values.
      parameter instanceof Slot ? values[parameter.name as keyof Values] : parameter,
    );
    return new BoundQuery(fixed, parameters);
  };
}

/** The position of a value in the parameters of a prepared query. */
class Slot {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}
