import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { runsAtCommit } from "../connection.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";

interface Begun {
  readonly connection: SqliteConnection;
  /** The account in whose turn it runs. */
  readonly accountId: number;
  readonly deadlineMs: number;
}

/** One transaction of a group. */
export class GroupedTransaction implements DatabaseConnection {
  readonly #connection: SqliteConnection;
  /** The driver may have replaced its connection since this transaction began. */
  readonly group: GroupCommit;
  readonly accountId: number;
  readonly deadlineMs: number;
  readonly lastStatements: CompiledQuery[] = [];
  /** Whether it no longer uses the connection. */
  hasLeft = false;
  /** The error of the last statement that failed. */
  failure: unknown;

  constructor(group: GroupCommit, { connection, accountId, deadlineMs }: Begun) {
    this.group = group;
    this.#connection = connection;
    this.accountId = accountId;
    this.deadlineMs = deadlineMs;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (runsAtCommit(query)) {
      this.lastStatements.push(query);
      return { rows: [] };
    }
    try {
      // The cast is safe: callers pass queries whose rows are of this type, but the interface of Kysely does not say so.
      return this.#connection.execute(query as CompiledQuery<Row>);
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  streamQuery<Row>(query: CompiledQuery): AsyncGenerator<QueryResult<Row>> {
    return this.#connection.streamQuery(query);
  }
}
