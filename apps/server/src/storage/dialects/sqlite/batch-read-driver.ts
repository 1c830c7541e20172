import { type CompiledQuery, type DatabaseConnection, DummyDriver } from "kysely";
import type { ReadDriver } from "../dialect.ts";
import type { SqliteWriter } from "./sqlite-writer.ts";

/** Reads what the changes before in a batch have left, which only the connection that writes sees. */
export class BatchReadDriver extends DummyDriver implements ReadDriver {
  readonly #writer: SqliteWriter;

  constructor(writer: SqliteWriter) {
    super();
    this.#writer = writer;
  }

  async readRows<Row>(query: CompiledQuery<Row>): Promise<Row[]> {
    return this.#writer.execute(query);
  }

  /** A batch is a snapshot by itself. */
  override async acquireConnection(): Promise<DatabaseConnection> {
    return {
      // The cast is safe: callers pass queries whose rows are of this type, but the interface of Kysely does not say so.
      executeQuery: async <Row>(query: CompiledQuery) => ({ rows: this.#writer.execute(query as CompiledQuery<Row>) }),
      streamQuery: () => {
        throw new Error("A batch streams no rows.");
      },
    };
  }
}
