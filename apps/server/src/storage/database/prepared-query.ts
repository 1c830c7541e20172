import { createHash } from "node:crypto";
import type { Compilable } from "kysely";
import type { QueryRunner, RepeatedQuery } from "../dialects/dialect.ts";

/** Stands in a query for an argument that comes when the query runs. */
export type Placeholder<Arguments> = <Name extends keyof Arguments>(name: Name) => Arguments[Name];

/** Runs a query that was built once. */
export type PreparedQuery<Arguments, Row> = (connection: QueryRunner, values: Arguments) => Promise<Row[]>;

/**
 * Builds a query once, since Kysely takes longer to build one than an embedded database to answer it.
 *
 * @example
 * const findById = prepareQuery((argument: Placeholder<{ id: number }>) =>
 *   read.selectFrom("accounts").selectAll().where("id", "=", argument("id")),
 * );
 * const [account] = await findById(read, { id: 1 });
 */
export function prepareQuery<Arguments, Row>(
  build: (argument: Placeholder<Arguments>) => Compilable<Row>,
): PreparedQuery<Arguments, Row> {
  const bindTo = prepareBinding(build);
  return async (connection, values) => {
    const { rows } = await connection.executeQuery(bindTo(values));
    return rows;
  };
}

/** Builds a query once, and gives what puts values in the place of its arguments. */
export function prepareBinding<Arguments, Row>(
  build: (argument: Placeholder<Arguments>) => Compilable<Row>,
): (values: Arguments) => RepeatedQuery<Row> {
  // Kysely passes values through to the parameters as they are, so it never looks at what poses as the argument here.
  const placeholder = (name: keyof Arguments) => new Slot(name) as unknown;
  const compiled = build(placeholder as Placeholder<Arguments>).compile();
  const query = { ...compiled, name: createHash("sha256").update(compiled.sql).digest("base64url") };
  return (values) => bind(query, values);
}

class Slot<Name> {
  readonly name: Name;

  constructor(name: Name) {
    this.name = name;
  }
}

function bind<Arguments, Row>(query: RepeatedQuery<Row>, values: Arguments): RepeatedQuery<Row> {
  const parameters = query.parameters.map((parameter) =>
    // Only `prepareQuery` makes slots, with names of the arguments.
    parameter instanceof Slot ? values[parameter.name as keyof Arguments] : parameter,
  );
  return { ...query, parameters };
}
