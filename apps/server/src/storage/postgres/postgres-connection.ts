import { isRefusedFor, outcomeUnknown } from "@siteward/service";
import type { PoolClient, QueryConfig, QueryResult } from "pg";
import type { Connection, ReadDriver, SqlQuery } from "../engine/connection.ts";
import { cancelQuery } from "./cancel-query.ts";
import {
  type ConnectionState,
  isPostgresError,
  stateAfter,
  translateAutocommitError,
  translateCommitError,
  translatePostgresError,
} from "./postgres-error.ts";

/** What became of a statement: its rows or its error. Undefined if another of its group failed. */
type Outcome = PromiseSettledResult<unknown[]> | undefined;

/** Runs queries on a connection of the driver, and notes what their errors leave of it. */
export class PostgresConnection implements ReadDriver {
  readonly #client: PoolClient;
  readonly #preparesStatements: boolean;
  #state: ConnectionState = "usable";
  /** Whether the server ended a wait for its synchronous replica. */
  #isUnreplicated = false;

  constructor(client: PoolClient, preparesStatements: boolean) {
    this.#client = client;
    this.#preparesStatements = preparesStatements;
    client.on("notice", this.#readNotice);
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** The server ends its query first, so that its connections without a client do not become more and more. */
  release(): void {
    const client = this.#client;
    client.off("notice", this.#readNotice);
    if (this.#state !== "waiting") client.release(this.#state === "unusable");
    else void cancelQuery(client).then(() => client.release(true));
  }

  /** @param timeoutMs how long the driver waits for the answer. By default, it is the time of the connection. */
  async execute<Row>(query: SqlQuery<Row>, timeoutMs?: number): Promise<Row[]> {
    const { rows } = await this.#send(this.#toConfig(query, timeoutMs)).catch(rethrow(translatePostgresError));
    return readRows(query, rows);
  }

  async executeAlone<Row>(statement: SqlQuery<Row>): Promise<Row[]> {
    const { rows } = await this.#send(this.#toConfig(statement)).catch(rethrow(translateAutocommitError));
    this.#requireReplicated();
    return readRows(statement, rows);
  }

  /**
   * Runs statements as one transaction, in one round trip. If one fails, the server skips those behind it, and the
   * connection is closed: PgBouncer counts statements that were skipped as prepared.
   */
  async executeTogether(statements: readonly SqlQuery[]): Promise<Outcome[]> {
    const { stream } = this.#client.connection;
    stream.cork();
    const sent = [{ text: "begin" }, ...statements.map((query) => this.#toConfig(query)), { text: "commit" }];
    const answers = sent.map((config) => this.#send(config));
    stream.uncork();
    const all = await Promise.allSettled(answers);
    const end = all.at(-1);
    if (end?.status === "fulfilled" && end.value.command === "COMMIT") {
      this.#requireReplicated();
      return statements.map((statement, index) => toOutcome(statement, all[index + 1]));
    }
    if (this.#state === "usable") this.#state = "unusable";
    const failed = all.findIndex(({ status }) => status === "rejected");
    const failure = all[failed];
    const isStatement = failed > 0 && failed <= statements.length;
    const translate = isStatement ? translateAutocommitError : translateCommitError;
    const reason = translate(failure?.status === "rejected" ? failure.reason : undefined);
    // After a wait for the row of the account, each of the others would wait for it again.
    const canRunAgain =
      isStatement && !isRefusedFor(reason, "outcome_unknown") && !isPostgresError(reason, "queryCanceled");
    return statements.map((_, index) =>
      canRunAgain && index + 1 !== failed ? undefined : { status: "rejected", reason },
    );
  }

  /** Runs `work` in a transaction of read committed: it waits at rows that others change, and does not fail. */
  transact<Result>(work: () => Promise<Result>, isDistributed = false): Promise<Result> {
    return this.#inTransaction(isDistributed ? `${begin}; ${hearWorkers}` : begin, async () => {
      const result = await work();
      // Warnings before the commit are not about it, such as of a worker's collations.
      this.#isUnreplicated = false;
      // If the connection is lost after the commit was sent, the server may have committed.
      const { command } = await this.#send({ text: "commit" }).catch(rethrow(translateCommitError));
      if (command !== "COMMIT") throw new Error(`The transaction ended with ${command} instead of COMMIT.`);
      this.#requireReplicated();
      return result;
    });
  }

  /** It is never committed: it has stored nothing. */
  snapshot<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    return this.#inTransaction("begin isolation level repeatable read read only", async () => {
      const result = await work(this);
      await this.#rollBack();
      return result;
    });
  }

  async #inTransaction<Result>(begin: string, work: () => Promise<Result>): Promise<Result> {
    await this.#send({ text: begin }).catch(rethrow(translatePostgresError));
    try {
      return await work();
    } catch (error) {
      await this.#rollBack();
      throw error;
    }
  }

  /** The server rolls back by itself if the connection is lost. */
  async #rollBack(): Promise<void> {
    if (this.#state !== "usable") return;
    await this.#client.query("rollback").catch(() => {
      this.#state = "waiting";
    });
  }

  /** The routine and the code are the same in every language of the server's messages. Citus passes on the code of a worker. */
  readonly #readNotice = ({ routine, code }: Partial<Record<"routine" | "code", string | undefined>>): void => {
    const isOfWorker = routine === "DefaultCitusNoticeReceiver" && code === warningCode;
    if (isOfWorker || routine === "SyncRepWaitForLSN") this.#isUnreplicated = true;
  };

  /** PostgreSQL reports a commit as done, with a warning, if its wait for the replica was canceled. A failover may lose it. */
  #requireReplicated(): void {
    if (!this.#isUnreplicated) return;
    this.#state = "unusable";
    throw outcomeUnknown(new Error("The server ended the wait of a commit for its synchronous replica."));
  }

  async #send(config: QueryConfig & { readonly query_timeout?: number | undefined }): Promise<QueryResult<unknown[]>> {
    try {
      return await this.#client.query<unknown[]>(config);
    } catch (error) {
      const state = stateAfter(error);
      if (state !== "usable") this.#state = state;
      throw error;
    }
  }

  #toConfig(query: SqlQuery, timeoutMs?: number) {
    return {
      text: query.sql,
      values: [...query.parameters],
      name: this.#preparesStatements ? query.name : undefined,
      rowMode: query.readRows === undefined ? undefined : ("array" as const),
      query_timeout: timeoutMs,
    };
  }
}

const begin = "begin isolation level read committed";
/**
 * Citus passes on a worker's warning of a commit at this level, and also one whose level it does not know, because the
 * worker's language is not English.
 */
const hearWorkers = "set local client_min_messages = debug1; set local citus.worker_min_messages = debug1";
const warningCode = "01000";

function readRows<Row>(query: SqlQuery<Row>, rows: unknown[][]): Row[] {
  if (query.readRows !== undefined) return query.readRows(rows);
  // The cast is safe as far as the type of the caller's query is right.
  return rows as Row[];
}

function toOutcome<Row>(
  statement: SqlQuery<Row>,
  answer: PromiseSettledResult<QueryResult<unknown[]>> | undefined,
): Outcome {
  if (answer?.status === "fulfilled") return { ...answer, value: readRows(statement, answer.value.rows) };
  return { status: "rejected", reason: translatePostgresError(answer?.reason) };
}

function rethrow(translate: (error: unknown) => unknown): (error: unknown) => never {
  return (error) => {
    throw translate(error);
  };
}
