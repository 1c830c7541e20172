import { type RawBuilder, sql } from "kysely";
import type { Database, QueryBuilder, WriteConnection } from "./database.ts";
import { accountOf, type Placeholder, prepare } from "./prepare.ts";
import type { AnyRows, Step, StepTools } from "./steps.ts";

interface Change<Values, Row> {
  readonly steps: readonly Step<Values>[];
  readonly result: string;
  /**
   * Keeps an index up to date that is not one of the engine's own. It is called only in turn: an engine that runs a
   * change as one statement maintains all indexes by itself.
   */
  readonly also?: (transaction: WriteConnection, values: Values, row: Row) => Promise<void>;
}

/** Runs a change. Returns undefined if a step found nothing to change. Then nothing was changed. */
export type Run<Values, Row> = (values: Values) => Promise<Row | undefined>;

/**
 * Prepares a change once, in the way that is best on the engine. It was chosen when the database was opened: PostgreSQL
 * runs one statement, so that it is one round trip. SQLite has no such round trips. On Citus, a statement that inserts
 * in its `with` clause runs on every node, and a transaction of single statements only on one.
 */
export function prepareRun<Values extends object, Row extends object>(
  database: Database,
  change: Change<Values, Row>,
): Run<Values, Row> {
  const isOneStatement = database.hasManyWriters && !database.isDistributed;
  return isOneStatement ? prepareInOneStatement(database, change) : prepareInTurn(database, change);
}

/**
 * All steps see what was committed before the statement began, and what earlier statements of its group have changed.
 * Only a row that a step waited for is seen as the other transaction left it. So a condition on other tables can be
 * outdated, and then a unique violation undoes the statement.
 */
function prepareInOneStatement<Values extends object, Row>(
  { build, writeOne }: Database,
  { steps, result }: Change<Values, Row>,
): Run<Values, Row> {
  const statement = prepare((value: Placeholder<Values>) => {
    const tools: StepTools<Values, AnyRows> = {
      build,
      value,
      of: (step, column) => sql.ref(`${step}.${column}`),
      after: (step) => sql`exists (select 1 from ${sql.table(step)})`,
      insertAfter(step, table, row) {
        const values = sql.join(Object.values<RawBuilder<unknown>>(row));
        const insert = build.insertInto(table).columns(Object.keys(row) as never);
        return insert.expression(sql`select ${values} from ${sql.table(step)}`);
      },
    };
    // The casts are safe: the result creates the same queries. The types of its named parts are not used.
    const add = (before: QueryBuilder, { name, build: toQuery }: Step<Values>) =>
      before.with(name, () => toQuery(tools) as never) as unknown as QueryBuilder;
    return steps
      .reduce(add, build)
      .selectFrom(result as never)
      .selectAll();
  });
  return async (values) => {
    const [row] = await writeOne(statement(values));
    // The cast is safe: the statement returns the row of the step with this name.
    return row as Row | undefined;
  };
}

/** On SQLite in the savepoint of its batch. A step gets the columns of earlier rows as parameters. */
function prepareInTurn<Values extends object, Row extends object>(
  database: Database,
  { steps, result, also }: Change<Values, Row>,
): Run<Values, Row> {
  const prepared = prepareSteps(database, steps);
  const run = async (transaction: WriteConnection, values: Values): Promise<Row> => {
    const bound: Record<string, unknown> = { ...(values as object) };
    let returned: unknown;
    for (const { name, kind, statement } of prepared) {
      const query = statement(bound);
      if (kind === "last") {
        await transaction.writeAtCommit(query);
        continue;
      }
      // The cast is safe: without a selection of its own, a statement returns objects.
      const [row] = (await transaction.write(query)) as Record<string, unknown>[];
      if (row === undefined) throw new NothingToChange();
      for (const column in row) bound[`${name}.${column}`] = row[column];
      if (name === result) returned = row;
    }
    // The cast is safe: the result is one of the steps.
    const row = returned as Row;
    await also?.(transaction, values, row);
    return row;
  };
  return async (values) => {
    try {
      return await database.write((transaction) => run(transaction, values), accountOf(values));
    } catch (error) {
      if (error instanceof NothingToChange) return undefined;
      throw error;
    }
  };
}

/** Rolls back what the steps before have changed. */
class NothingToChange extends Error {}

function prepareSteps<Values>({ build, hasManyWriters }: Database, steps: readonly Step<Values>[]) {
  const toolsOf = (value: Placeholder<Record<string, unknown>>): StepTools<Values, AnyRows> => ({
    build,
    // The cast is safe: the values of the change are among those that are bound.
    value: value as Placeholder<Values>,
    of: (step, column) => sql`${value(`${step}.${column}`)}`,
    // The transaction ends at the first step that returns no row.
    after: () => sql`true`,
    insertAfter: (_, table, row) => build.insertInto(table).values(row as never),
  });
  return steps
    .filter(({ kind }) => kind !== "lock" || hasManyWriters)
    .map(({ name, kind, build: toQuery }) => ({
      name,
      kind,
      statement: prepare((value: Placeholder<Record<string, unknown>>) => toQuery(toolsOf(value))),
    }));
}
