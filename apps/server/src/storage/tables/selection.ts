import type { AliasedExpression } from "kysely";

/** What a query selects, and how a row is read from the values that it returns: both come from one description. */
export interface Selection<Row> {
  readonly columns: readonly AliasedExpression<unknown, string>[];
  /** Reads the values that lie in the order of `columns`, from `start` on. */
  read(values: readonly unknown[], start: number): Row;
}

/** Selects one value. */
export function selectValue<Value>(
  column: AliasedExpression<unknown, string>,
  convert: (value: unknown) => Value,
): Selection<Value> {
  return { columns: [column], read: (values, start) => convert(values[start]) };
}

/** Selects a row of an outer join: undefined if its first value, which is never null in the table, is null. */
export function optional<Row>({ columns, read }: Selection<Row>): Selection<Row | undefined> {
  return { columns, read: (values, start) => (values[start] === null ? undefined : read(values, start)) };
}

/** Selects several things next to each other, each under its name. */
export function combineSelections<Parts extends Readonly<Record<string, Selection<unknown>>>>(
  parts: Parts,
): Selection<{ readonly [Name in keyof Parts]: Parts[Name] extends Selection<infer Part> ? Part : never }> {
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
      // Every name of the parts has got the value that its part has read.
      return row as ReturnType<ReturnType<typeof combineSelections<Parts>>["read"]>;
    },
  };
}
