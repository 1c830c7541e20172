import { type RawBuilder, sql } from "kysely";
import type { Database, QueryBuilder } from "../database/database.ts";
import { type Placeholder, prepare } from "../database/prepare.ts";
import type { Change, Run } from "./change.ts";
import type { StepTools } from "./steps.ts";

/**
 * Prepares a change as one statement, so that it is one round trip and one commit. Each step is a part of its `with` clause.
 *
 * All steps see what was committed before the statement began, and what earlier statements of its group have changed. Only a row that a
 * step waited for is seen as the other transaction left it. So a condition on other tables can be outdated, and then a unique violation
 * undoes the statement.
 */
export function prepareInOneStatement<Values, Row>(
  { build, writeOne }: Database,
  { steps, result }: Change<Values, Row>,
): Run<Values, Row> {
  const statement = prepare((value: Placeholder<Values>) => {
    const tools = toolsOf(build, value);
    const creator = steps.reduce(
      // The cast is safe: the result creates the same queries. The types of its named parts are not used.
      (before, step) => before.with(step.name, () => step.build(tools) as never) as unknown as QueryBuilder,
      build,
    );
    return creator.selectFrom(result as never).selectAll();
  });
  return async (values) => {
    const [row] = await writeOne(statement(values));
    // The cast is safe: the statement returns the row of the step with this name.
    return row as Row | undefined;
  };
}

function toolsOf<Values>(
  build: QueryBuilder,
  value: Placeholder<Values>,
): StepTools<Values, Record<string, Record<string, unknown>>> {
  return {
    build,
    value,
    of: (step, column) => sql.ref(`${step}.${column}`),
    after: (step) => sql`exists (select 1 from ${sql.table(step)})`,
    insertAfter(step, table, row) {
      const expressions = sql.join(Object.values<RawBuilder<unknown>>(row));
      return build
        .insertInto(table)
        .columns(Object.keys(row) as never)
        .expression(sql`select ${expressions} from ${sql.table(step)}`);
    },
  };
}
