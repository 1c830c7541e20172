import { type RawBuilder, sql } from "kysely";
import type { Columns } from "../tables/column.ts";
import { columnNames, type Row, type Table } from "../tables/table.ts";
import type { Placeholder } from "./prepare.ts";

/**
 * Returns the select list of an insert from a query: every column of the table, in order. Some values come from the query, and
 * the others are passed each time the statement runs.
 *
 * @param given the expressions of the columns whose values come from the query
 */
export function rowFrom<C extends Columns, Given extends keyof C>(
  table: Table<string, C>,
  value: Placeholder<Omit<Row<Table<string, C>>, Given>>,
  given: Readonly<Record<Given, RawBuilder<unknown>>>,
) {
  return columnNames(table).map((name) =>
    // The casts are safe: a column that is not given has a placeholder.
    (name in given ? given[name as Given] : sql`${value(name as never)}`).as(name),
  );
}
