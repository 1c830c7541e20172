import { sql } from "kysely";
import type { Database, Query, WriteConnection } from "../database/database.ts";
import { type Placeholder, prepare } from "../database/prepare.ts";
import type { Change, Run } from "./change.ts";
import type { Step } from "./steps.ts";

/**
 * Prepares a change whose steps run in turn, in one transaction: on SQLite, in the savepoint that it has in its batch. A step
 * gets the columns of earlier rows as parameters, like the values of the change.
 */
export function prepareInTurn<Values extends object, Row extends object>(
  database: Database,
  { steps, result, also }: Change<Values, Row>,
): Run<Values, Row> {
  const prepared = prepareSteps(database, steps);
  const run = async (transaction: WriteConnection, values: Values): Promise<Row> => {
    const bound: Record<string, unknown> = { ...(values as object) };
    let returned: object | undefined;
    for (const { name, kind, statement, used } of prepared) {
      if (kind === "last") {
        await transaction.writeAtCommit(statement(bound));
        continue;
      }
      const row = await runStep(transaction, statement(bound));
      for (const { column, key } of used) bound[key] = row[column];
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

async function runStep(transaction: WriteConnection, statement: Query<unknown>): Promise<Record<string, unknown>> {
  const [row] = await transaction.write(statement);
  if (row === undefined) throw new NothingToChange();
  // The cast is safe: without a selection of its own, a statement returns objects.
  return row as Record<string, unknown>;
}

/** A column of an earlier row, and the name of the parameter that later steps get it as. */
interface UsedColumn {
  readonly step: string;
  readonly column: string;
  readonly key: string;
}

function prepareSteps<Values>({ build, hasManyWriters }: Database, steps: readonly Step<Values>[]) {
  const allUsed = new Map<string, UsedColumn>();
  const toolsOf = (value: Placeholder<Record<string, unknown>>): Parameters<Step<Values>["build"]>[0] => ({
    build,
    // The cast is safe: the values of the change are among those that are bound.
    value: value as Placeholder<Values>,
    of: (step, column) => {
      const key = `${step}.${column}`;
      allUsed.set(key, { step, column, key });
      return sql`${value(key)}`;
    },
    // The transaction ends at the first step that returns no row.
    after: () => sql`true`,
    insertAfter: (_, table, row) => build.insertInto(table).values(row as never),
  });
  const prepared = steps
    .filter(({ kind }) => kind !== "lock" || hasManyWriters)
    .map((step) => ({
      ...step,
      statement: prepare((value: Placeholder<Record<string, unknown>>) => step.build(toolsOf(value))),
    }));
  return prepared.map((step) => ({ ...step, used: [...allUsed.values()].filter((used) => used.step === step.name) }));
}
