import { type AppError, databaseBusy, outcomeUnknown } from "@siteward/service";
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from "kysely";
import type { PoolClient, QueryConfig } from "pg";
import type { PoolLoad, StorageLoad } from "../../interface/storage-load.ts";
import { isAnnotated } from "../connection.ts";
import { noAccount, whoseTurn } from "../whose-turn.ts";
import { ChangeGroups } from "./change-groups.ts";
import { DriverQuery, isPrepared } from "./driver-query.ts";
import type { FailedQuery } from "./pooler-check.ts";
import { type ConnectionState, stateAfter, translateCommitError, translatePostgresError } from "./postgres-error.ts";
import type { HeldConnection, PostgresPool } from "./postgres-pool.ts";
import type { PostgresSettings } from "./postgres-url.ts";
import { unanswered } from "./shared-connection.ts";
import { StatementFailure, StatementGroup } from "./statement-group.ts";

/** A Kysely driver for the connections of a pool. */
export class PostgresDriver implements Driver {
  readonly #pool: PostgresPool;
  readonly #preparesStatements: boolean;
  readonly #onError: (error: unknown, query: FailedQuery) => void;
  readonly #groups: ChangeGroups;

  /** @param onError called with each error of the driver */
  constructor(
    pool: PostgresPool,
    { preparesStatements, poolTimeoutMs }: Pick<PostgresSettings, "preparesStatements" | "poolTimeoutMs">,
    onError: (error: unknown, query: FailedQuery) => void,
  ) {
    this.#pool = pool;
    this.#preparesStatements = preparesStatements;
    this.#onError = onError;
    this.#groups = new ChangeGroups((accountId, take) => this.#writeTogether(accountId, take), poolTimeoutMs);
  }

  async init(): Promise<void> {}

  load(name: PoolLoad["name"]): PoolLoad {
    return this.#pool.load(name);
  }

  /** What its changes wait for. */
  writeLoad(): Pick<StorageLoad, "waitingWrites" | "groups"> {
    return this.#groups.load();
  }

  /**
   * Runs one query outside of a transaction. A prepared query is short, so it may share a connection with others. It then takes
   * half of the processor time, and does not wait for a connection while others wait for the network.
   */
  async readRows<Row>(query: CompiledQuery<Row>): Promise<Row[]> {
    if (this.#preparesStatements && isPrepared(query)) {
      const rows = await this.#pool.share((client, retire) => this.#readShared(client, query, retire));
      if (rows !== undefined && rows !== unanswered) return rows;
    }
    const connection = await this.acquireConnection();
    try {
      return (await connection.execute(query)).rows;
    } finally {
      await this.releaseConnection(connection);
    }
  }

  async #readShared<Row>(client: PoolClient, query: CompiledQuery<Row>, retire: () => void): Promise<Row[]> {
    const connection = new PostgresConnection({ client }, true, this.#onError);
    try {
      return (await connection.execute(query)).rows;
    } finally {
      if (connection.state !== "usable") retire();
    }
  }

  writeRows<Row>(statement: CompiledQuery<Row>): Promise<Row[]> {
    // The cast is safe: the rows of a statement are of its type.
    return this.#groups.write(whoseTurn.getStore() ?? noAccount, statement) as Promise<Row[]>;
  }

  /** Runs the statements that `take` returns once there is a connection, as one transaction. */
  async #writeTogether(accountId: number, take: () => readonly CompiledQuery[]): Promise<unknown[][]> {
    const connection = new PostgresConnection(
      await this.#pool.acquire(accountId),
      this.#preparesStatements,
      this.#onError,
    );
    try {
      const rows = await connection.executeTogether(take());
      requireNotCanceled(connection.held, outcomeUnknown);
      return rows;
    } finally {
      await this.releaseConnection(connection);
    }
  }

  async acquireConnection(): Promise<PostgresConnection<HeldConnection>> {
    return new PostgresConnection(await this.#pool.acquire(), this.#preparesStatements, this.#onError);
  }

  async releaseConnection({ held, state }: PostgresConnection<HeldConnection>): Promise<void> {
    this.#pool.release(held, state);
  }

  /** Runs `work` in a transaction that writes. */
  async transact<Result>(work: (connection: DatabaseConnection) => Promise<Result>): Promise<Result> {
    const connection = await this.acquireConnection();
    try {
      await this.beginTransaction(connection, {});
      const result = await work(connection);
      await this.commitTransaction(connection);
      return result;
    } catch (error) {
      await this.rollbackTransaction(connection);
      throw error;
    } finally {
      await this.releaseConnection(connection);
    }
  }

  /** In read committed, write transactions wait for each other at the rows that they change instead of failing. */
  async beginTransaction(connection: PostgresConnection, { accessMode }: TransactionSettings): Promise<void> {
    const isReadOnly = accessMode === "read only";
    connection.isReadOnly = isReadOnly;
    await connection.run(
      isReadOnly ? "begin isolation level repeatable read read only" : "begin isolation level read committed",
    );
  }

  async commitTransaction(connection: PostgresConnection<HeldConnection>): Promise<void> {
    if (connection.isReadOnly) return connection.commit();
    requireNotCanceled(connection.held, databaseBusy);
    await connection.commit();
    requireNotCanceled(connection.held, outcomeUnknown);
  }

  async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    await connection.rollback();
  }

  async destroy(): Promise<void> {
    await this.#pool.close();
  }
}

/**
 * A commit that is canceled while it waits for a synchronous replica succeeds, with a warning, and the replica may not have it. So
 * nothing is committed once its cancellation is on its way, and no success counts that one may have ended.
 */
function requireNotCanceled({ isCanceled }: HeldConnection, toError: (cause: unknown) => AppError): void {
  if (isCanceled) throw toError(new Error("The change was canceled, because it kept other accounts waiting."));
}

class PostgresConnection<Held extends Pick<HeldConnection, "client"> = Pick<HeldConnection, "client">>
  implements DatabaseConnection
{
  readonly held: Held;
  readonly #client: PoolClient;
  readonly #preparesStatements: boolean;
  readonly #onError: (error: unknown, query: FailedQuery) => void;
  /** Whether the current transaction only reads, so that a failed commit cannot have stored anything. */
  isReadOnly = false;
  #state: ConnectionState = "usable";

  constructor(held: Held, preparesStatements: boolean, onError: (error: unknown, query: FailedQuery) => void) {
    this.held = held;
    this.#client = held.client;
    this.#preparesStatements = preparesStatements;
    this.#onError = onError;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  async run(command: string): Promise<void> {
    await this.#execute({ text: command });
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    // The cast is safe: callers pass queries whose rows are of this type, but the interface of Kysely does not say so.
    return this.execute(query as CompiledQuery<Row>);
  }

  /**
   * Runs statements as one transaction. If the connection is lost, the server may have committed it.
   *
   * @throws StatementFailure
   */
  async executeTogether(statements: readonly CompiledQuery[]): Promise<unknown[][]> {
    const group = new StatementGroup(statements.map((query) => new DriverQuery(query, this.#preparesStatements)));
    try {
      return await group.run(this.#client);
    } catch (error) {
      if (!(error instanceof StatementFailure)) throw error;
      this.#noteFailure(error.cause, group.name);
      if (group.hasUnparsed && this.#state === "usable") this.#state = "unusable";
      throw error;
    }
  }

  async execute<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
    const { rows, rowCount } = await this.#execute(new DriverQuery(query, this.#preparesStatements));
    if (isAnnotated(query) && query.readRows !== undefined) return { rows: query.readRows(rows) };
    // The cast is safe as far as the type of the caller's query is right.
    return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
  }

  /** Returns all rows at once. Callers that read many rows read them in pages. */
  async *streamQuery<Row>(query: CompiledQuery): AsyncGenerator<QueryResult<Row>> {
    yield await this.executeQuery(query);
  }

  /** If the connection is lost after the commit was sent, the server may have committed. */
  async commit(): Promise<void> {
    const { command } = await this.#client.query("commit").catch((error: unknown) => {
      this.#noteFailure(error);
      throw this.isReadOnly ? translatePostgresError(error) : translateCommitError(error);
    });
    if (command !== "COMMIT") throw new Error(`The transaction ended with ${command} instead of COMMIT.`);
  }

  /** The server rolls back by itself if the connection is lost. */
  async rollback(): Promise<void> {
    if (this.#state !== "usable") return;
    await this.#client.query("rollback").catch(() => {
      this.#state = "waiting";
    });
  }

  #noteFailure(error: unknown, statement?: string): void {
    this.#onError(error, { client: this.#client, statement });
    const state = stateAfter(error);
    if (state !== "usable") this.#state = state;
  }

  async #execute(config: QueryConfig) {
    try {
      return await this.#client.query<unknown[]>(config);
    } catch (error) {
      this.#noteFailure(error, config.name);
      throw translatePostgresError(error);
    }
  }
}
