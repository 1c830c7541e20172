import type { CompiledQuery } from "kysely";
import { type Connection, runsAtCommit } from "../connection.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";

/** The connection of one change, which keeps back what is to run right before the commit. */
export class TransactionConnection implements Connection {
  readonly #connection: SqliteConnection;
  readonly lastStatements: CompiledQuery[] = [];

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  async execute<Row>(query: CompiledQuery<Row>): Promise<Row[]> {
    if (!runsAtCommit(query)) return this.#connection.execute(query);
    this.lastStatements.push(query);
    return [];
  }
}
