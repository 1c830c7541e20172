import type { AliasedExpression } from "kysely";

/** A select list, together with the function that reads its values. */
export interface Selection<Row> {
  readonly columns: readonly AliasedExpression<unknown, string>[];
  /** Reads one row from its values, which begin at `start` in the order of `columns`. */
  read(values: readonly unknown[], start: number): Row;
}

export function selectValue<Value>(
  column: AliasedExpression<unknown, string>,
  convert: (value: unknown) => Value,
): Selection<Value> {
  return { columns: [column], read: (values, start) => convert(values[start]) };
}

/**
 * Selects a row of an outer join. It is undefined if the join found none.
 *
 * @param key the column that tells, which is never null in the table
 */
export function optional<Row>({ columns, read }: Selection<Row>, key: string): Selection<Row | undefined> {
  const place = columns.findIndex(({ alias }) => alias === key);
  return { columns, read: (values, start) => (values[start + place] === null ? undefined : read(values, start)) };
}

/** Combines several selections into one, whose row contains each under its name. */
export function combineSelections<Parts extends Readonly<Record<string, Selection<unknown>>>>(
  parts: Parts,
): Selection<CombinedRow<Parts>> {
  let end = 0;
  const placed = Object.entries(parts).map(([name, part]) => {
    const start = end;
    end += part.columns.length;
    return { name, part, start };
  });
  return {
    columns: placed.flatMap(({ part }) => part.columns),
    read(values, start) {
      const row: Record<string, unknown> = {};
      for (const { name, part, start: offset } of placed) row[name] = part.read(values, start + offset);
      // The cast is safe: the loop has set every name of the parts to the value of its part.
      return row as CombinedRow<Parts>;
    },
  };
}

type CombinedRow<Parts> = { readonly [Name in keyof Parts]: Parts[Name] extends Selection<infer Part> ? Part : never };
