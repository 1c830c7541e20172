import { sql } from "kysely";
import type { Database, Query, WriteConnection } from "../database/database.ts";
import { type Placeholder, prepare } from "../database/prepare.ts";
import type { Change, Run } from "./change.ts";
import type { Step, StepTools } from "./steps.ts";

/**
 * Prepares a change whose steps run in turn, in one transaction: on SQLite, in the savepoint that it has in its group. A step
 * gets the columns of earlier rows as parameters, like the values of the change.
 */
export function prepareInTurn<Values extends object, Row extends object>(
  database: Database,
  { steps, result, also }: Change<Values, Row>,
): Run<Values, Row> {
  const prepared = steps
    .filter(({ kind }) => kind !== "lock" || database.hasManyWriters)
    .map((step) => ({ ...step, statement: prepareStep(database, step) }));
  const run = async (transaction: WriteConnection, values: Values): Promise<Row> => {
    const bound: Record<string, unknown> = Object.assign<Record<string, unknown>, object>({}, values);
    let returned: object | undefined;
    for (const { name, kind, statement } of prepared) {
      if (kind === "last") {
        await transaction.writeAtCommit(statement(bound));
        continue;
      }
      const row = await runStep(transaction, statement(bound));
      for (const [column, value] of Object.entries(row)) bound[`${name}.${column}`] = value;
      if (name === result) returned = row;
    }
    // The cast is safe: the result is one of the steps.
    const row = returned as Row;
    await also?.(transaction, values, row);
    return row;
  };
  return async (values) => {
    try {
      return await database.write((transaction) => run(transaction, values));
    } catch (error) {
      if (error instanceof NothingToChange) return undefined;
      throw error;
    }
  };
}

/** Rolls back what the steps before have changed. */
class NothingToChange extends Error {}

async function runStep(transaction: WriteConnection, statement: Query<unknown>): Promise<object> {
  const [row] = await transaction.write(statement);
  if (typeof row !== "object" || row === null) throw new NothingToChange();
  return row;
}

function prepareStep<Values>({ build }: Database, step: Step<Values>) {
  return prepare((value: Placeholder<Record<string, unknown>>) => {
    const tools: StepTools<Values, Record<string, Record<string, unknown>>> = {
      build,
      // The cast is safe: the values of the change are among those that are bound.
      value: value as Placeholder<Values>,
      of: (name, column) => sql`${value(`${name}.${column}`)}`,
      // The transaction ends at the first step that returns no row.
      after: () => sql`true`,
      insertAfter: (_, table, row) => build.insertInto(table).values(row as never),
    };
    return step.build(tools);
  });
}
