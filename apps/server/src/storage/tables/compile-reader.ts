/** A field of a record, in the order of the values. */
export interface ReadField {
  readonly name: string;
  /** Converts the value that the query returns into the value that the record shows. Undefined if they are the same. */
  readonly show: ((value: unknown) => unknown) | undefined;
}

/** Reads a record from the values of a row, which begin at `start`. */
type ReadRecord = (values: readonly unknown[], start: number) => Record<string, unknown>;

/**
 * Compiles a reader that returns an object literal, as mysql2 does for its rows. A loop that sets each field by name takes
 * 0.12 µs longer per record, and sometimes twice that. Compared with a handwritten literal, a page of 100 took between 10 %
 * less and 13 % more time with the loop, and between 4 and 24 % less with the compiled reader. The names come from the
 * descriptions of tables, never from input. If the process does not allow code from strings, the loop is used.
 */
export function compileReader(fields: readonly ReadField[]): ReadRecord {
  try {
    return compileLiteral(fields);
  } catch (error) {
    if (error instanceof EvalError) return readInLoop(fields);
    throw error;
  }
}

function compileLiteral(fields: readonly ReadField[]): ReadRecord {
  const properties = fields.map(({ name, show }, index) => {
    const value = `values[start + ${index}]`;
    return `${JSON.stringify(name)}: ${show === undefined ? value : `shows[${index}](${value})`}`;
  });
  const compile = new Function("shows", `return (values, start) => ({ ${properties.join(", ")} });`);
  // `Function` has no types for its result: it is the arrow function in the line above.
  return compile(fields.map(({ show }) => show));
}

function readInLoop(fields: readonly ReadField[]): ReadRecord {
  return (values, start) => {
    const record: Record<string, unknown> = {};
    for (const [index, { name, show }] of fields.entries()) {
      const value = values[start + index];
      record[name] = show === undefined ? value : show(value);
    }
    return record;
  };
}
