import { bind, type Mark, type SqlQuery, type Statement } from "./statement.ts";

export { ownQuery, type SqlQuery } from "./statement.ts";

export interface Connection {
  execute<Row>(query: SqlQuery<Row>): Promise<Row[]>;
}

/** Runs `work` in a transaction, which is committed when `work` returns and undone when it throws. */
export type Transact = <Result>(
  work: (connection: Connection) => Promise<Result>,
  /** The account whose rows it changes. Undefined if there is no one account. */
  accountId?: number,
) => Promise<Result>;

/** Runs queries that do not change data, for an engine. */
export interface ReadDriver extends Connection {
  /** Runs `work` on a connection of its own, whose queries all see the same state. */
  snapshot<Result>(work: (connection: Connection) => Promise<Result>, accountId: number): Promise<Result>;
}

/** Runs queries that do not change data. */
export interface ReadConnection {
  /** @returns the rows: objects by column name, or whatever the statement reads from them */
  read<Row>(statement: Statement<Row>, values?: object): Promise<Row[]>;
}

export interface WriteConnection extends ReadConnection {
  /** @returns the rows of the `returning` clause, if the statement has one */
  write<Row = object>(statement: Statement<Row>, values?: object): Promise<Row[]>;
  /**
   * Runs a statement before the transaction is committed, but not necessarily now. Use it for statements that are
   * cheaper together with those of other transactions, and whose result nothing in the transaction needs. If the
   * statement fails, the commit fails.
   */
  writeAtCommit(statement: Statement<object>, values?: object): Promise<void>;
}

export interface DatabaseLocation {
  readonly databaseUrl: string;
  /** The name of the URL in messages, such as the setting that contains it. */
  readonly setting: string;
}

/** Reads committed data. Never waits for writers. */
export interface Reader extends ReadConnection {
  /** Runs `work` for an account on a connection whose queries all see the same state of the database. */
  snapshot<Result>(accountId: number, work: (connection: ReadConnection) => Promise<Result>): Promise<Result>;
}

/** How statements become queries. */
export interface QueryTools {
  readonly mark: Mark;
  /** Called for each query before it runs. */
  readonly log?: ((event: { readonly query: SqlQuery }) => void) | undefined;
}

export function createReader(driver: ReadDriver, tools: QueryTools): Reader {
  return {
    ...toReadConnection(driver, tools),
    snapshot: (accountId, work) =>
      driver.snapshot((connection) => work(toReadConnection(connection, tools)), accountId),
  };
}

export function toReadConnection(connection: Connection, tools: QueryTools): ReadConnection {
  return { read: (statement, values) => connection.execute(toQuery(tools, statement, values)) };
}

export function toWriteConnection(connection: Connection, tools: QueryTools): WriteConnection {
  const { read } = toReadConnection(connection, tools);
  return {
    read,
    write: read,
    writeAtCommit: async (statement, values) =>
      void (await connection.execute({ ...toQuery(tools, statement, values), runsAtCommit: true })),
  };
}

export function toQuery<Row>({ mark, log }: QueryTools, statement: Statement<Row>, values?: object): SqlQuery<Row> {
  const query = bind(mark, statement, values);
  log?.({ query });
  return query;
}
