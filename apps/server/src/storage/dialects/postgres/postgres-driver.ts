import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from "kysely";
import type { PoolClient, QueryArrayConfig, QueryConfig } from "pg";
import { storageOutcomeUnknown } from "../../storage-error.ts";
import { isAnnotated } from "../connection.ts";
import { isCommitUncertain, isConnectionUnusable, translatePostgresError } from "./postgres-error.ts";
import type { PostgresPool } from "./postgres-pool.ts";

/** Drives the connections of a pool. */
export class PostgresDriver implements Driver {
  readonly #pool: PostgresPool;
  readonly #preparesStatements: boolean;

  constructor(pool: PostgresPool, { preparesStatements }: { preparesStatements: boolean }) {
    this.#pool = pool;
    this.#preparesStatements = preparesStatements;
  }

  async init(): Promise<void> {}

  /** Answers one query outside of any transaction. */
  async readRows<Row>(query: CompiledQuery<Row>): Promise<Row[]> {
    const connection = await this.acquireConnection();
    try {
      return (await connection.execute(query)).rows;
    } finally {
      await this.releaseConnection(connection);
    }
  }

  async acquireConnection(): Promise<PostgresConnection> {
    return new PostgresConnection(await this.#pool.acquire(), this.#preparesStatements);
  }

  async releaseConnection({ client, isUsable }: PostgresConnection): Promise<void> {
    this.#pool.release(client, isUsable);
  }

  /** Transactions that write wait for each other at the rows that they change, rather than fail and run again. */
  async beginTransaction(connection: PostgresConnection, { accessMode }: TransactionSettings): Promise<void> {
    const isReadOnly = accessMode === "read only";
    connection.isReadOnly = isReadOnly;
    await connection.run(
      isReadOnly ? "begin isolation level repeatable read read only" : "begin isolation level read committed",
    );
  }

  async commitTransaction(connection: PostgresConnection): Promise<void> {
    await connection.commit();
  }

  async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    await connection.rollback();
  }

  async destroy(): Promise<void> {
    await this.#pool.close();
  }
}

class PostgresConnection implements DatabaseConnection {
  readonly client: PoolClient;
  readonly #preparesStatements: boolean;
  /** Whether the transaction that began last only reads, so that nothing of it can have been kept. */
  isReadOnly = false;
  #isUsable = true;

  constructor(client: PoolClient, preparesStatements: boolean) {
    this.client = client;
    this.#preparesStatements = preparesStatements;
  }

  get isUsable(): boolean {
    return this.#isUsable;
  }

  async run(command: string): Promise<void> {
    await this.#execute({ text: command });
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    // Kysely does not say that the query has these rows.
    return this.execute(query as CompiledQuery<Row>);
  }

  async execute<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
    if (isAnnotated(query) && query.readRows !== undefined) {
      const { rows } = await this.#execute({ ...this.#toConfig(query), rowMode: "array" });
      return { rows: query.readRows(rows) };
    }
    const { rows, rowCount } = await this.#execute(this.#toConfig(query));
    // The caller's query says what its rows contain.
    return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
  }

  /** Everything at once: whoever reads much reads it in pages. */
  async *streamQuery<Row>(query: CompiledQuery): AsyncGenerator<QueryResult<Row>> {
    yield await this.executeQuery(query);
  }

  /** A commit that was sent may have been done though no answer came. */
  async commit(): Promise<void> {
    const { command } = await this.client.query("commit").catch((error: unknown) => {
      if (isConnectionUnusable(error)) this.#isUsable = false;
      throw !this.isReadOnly && isCommitUncertain(error) ? storageOutcomeUnknown(error) : translatePostgresError(error);
    });
    if (command !== "COMMIT") throw new Error(`The transaction ended in ${command}.`);
  }

  /** The server rolls back by itself where the connection is lost. */
  async rollback(): Promise<void> {
    if (!this.#isUsable) return;
    await this.client.query("rollback").catch(() => {
      this.#isUsable = false;
    });
  }

  async #execute(config: QueryConfig | QueryArrayConfig) {
    try {
      return await this.client.query<unknown[]>(config);
    } catch (error) {
      if (isConnectionUnusable(error)) this.#isUsable = false;
      throw translatePostgresError(error);
    }
  }

  #toConfig(query: CompiledQuery): QueryConfig {
    const config = { text: query.sql, values: [...query.parameters] };
    const name = this.#preparesStatements && isAnnotated(query) ? query.name : undefined;
    return name === undefined ? config : { ...config, name };
  }
}
