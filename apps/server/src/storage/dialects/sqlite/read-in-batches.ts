import type { ReadDriver } from "../dialect.ts";
import type { SqliteWriter } from "./sqlite-writer.ts";

/** Reads what the changes before in a batch have left, which only the connection that writes sees. A batch is a snapshot by itself. */
export function readInBatches(writer: SqliteWriter): ReadDriver {
  return {
    readRows: async (query) => writer.execute(query),
    hold: (work) => work({ execute: async (query) => writer.execute(query), snapshot: (read) => read() }),
  };
}
