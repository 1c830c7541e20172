import type { AliasedExpression } from "kysely";
import type { Query } from "../dialects/connection.ts";
import type { Selection } from "../tables/selection.ts";
import { BoundQuery, type Compilable } from "./bound-query.ts";

/** Adds a selection to a query: its select list, and the function that reads the rows. */
export function select<Row>(selection: Selection<Row>, query: Selectable): Query<Row> & Compilable<Row> {
  return complete(query, selection.columns, (rows) => rows.map((values) => selection.read(values, 0)));
}

/** The only row that `selectPage` returns. It returns none if the query finds nothing. */
export interface Page<Row, Shared> {
  readonly rows: Row[];
  /** A number of each row that is not part of it. */
  readonly numbers: number[];
  /** The values that are the same in every row. They are read from the first one. */
  readonly shared: Shared;
}

/**
 * Adds selections to a query whose rows form a page. Reading the shared values only once saves 0.1 µs per row. An object for
 * each row and its number would take 2 % of the time of a page of ten.
 */
export function selectPage<Row, Shared>(
  { row, number, shared }: PageSelections<Row, Shared>,
  query: Selectable,
): Query<Page<Row, Shared>> & Compilable<Page<Row, Shared>> {
  const numberAt = row.columns.length;
  return complete(query, [...row.columns, number, ...shared.columns], (rows) => {
    const [first] = rows;
    if (first === undefined) return [];
    return [
      {
        rows: rows.map((values) => row.read(values, 0)),
        numbers: rows.map((values) => Number(values[numberAt])),
        shared: shared.read(first, numberAt + 1),
      },
    ];
  });
}

interface PageSelections<Row, Shared> {
  readonly row: Selection<Row>;
  readonly number: AliasedExpression<unknown, string>;
  readonly shared: Selection<Shared>;
}

/** A query without its select list. */
interface Selectable {
  select(columns: readonly AliasedExpression<unknown, string>[]): Compilable<unknown>;
}

function complete<Row>(
  query: Selectable,
  columns: Selection<Row>["columns"],
  readRows: (rows: readonly (readonly unknown[])[]) => Row[],
): BoundQuery<Row> {
  const { sql, parameters, queryId, query: node } = query.select(columns).compile();
  return new BoundQuery({ sql, query: node, queryId, name: undefined, readRows }, parameters);
}
