import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { runsAtCommit } from "../connection.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";

/** The connection of one change, which keeps back what is to run right before the commit. */
export class TransactionConnection implements DatabaseConnection {
  readonly #connection: SqliteConnection;
  readonly lastStatements: CompiledQuery[] = [];

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    // The cast is safe: callers pass queries whose rows are of this type, but the interface of Kysely does not say so.
    if (!runsAtCommit(query)) return this.#connection.execute(query as CompiledQuery<Row>);
    this.lastStatements.push(query);
    return { rows: [] };
  }

  streamQuery<Row>(query: CompiledQuery): AsyncGenerator<QueryResult<Row>> {
    return this.#connection.streamQuery(query);
  }
}
