import { Socket } from "node:net";
import { databaseReadOnly } from "@siteward/service";
import pg, { type ClientBase, type ClientConfig, type CustomTypesConfig, type Pool } from "pg";
import type { Connection, ReadDriver, SqlQuery } from "../engine/connection.ts";
import type { PoolLoad } from "../interface/storage-load.ts";
import { PostgresConnection } from "./postgres-connection.ts";
import { translatePostgresError } from "./postgres-error.ts";
import type { PostgresSettings } from "./postgres-url.ts";

interface PoolOptions {
  readonly max: number;
  /** What the connections are used for. All but those to a replica must be to the primary server. */
  readonly name: PoolLoad["name"];
  readonly allowsLongStatements?: boolean | undefined;
}

/** How long a transaction may be idle before the server ends it, so that its locks do not block others for long. */
const maxTransactionIdleMs = 10_000;
/** How much longer than the statement timeout the driver waits for the server to report the timeout itself. */
const graceMs = 1_000;
/** How long a connection is silent before TCP checks that the other side is still there. */
const keepAliveMs = 10_000;
/** How long a connection may be unused before it is closed. */
const maxIdleMs = 60_000;
/** Older connections are replaced, because their address may point to another server by now. */
const maxAgeSeconds = 30 * 60;
/** The type of 64-bit integers, which the driver would return as strings. Ours have at most 53 bits. */
const int8Oid = 20;
const byteaOid = 17;

/** The driver's pool of connections to one server. Who finds none free within `pool_timeout` gets a 503. */
export class PostgresPool implements ReadDriver {
  readonly max: number;
  readonly #name: PoolLoad["name"];
  readonly #pool: Pool;
  readonly #preparesStatements: boolean;
  readonly #sockets = new Set<Socket>();

  constructor(settings: PostgresSettings, options: PoolOptions) {
    this.max = options.max;
    this.#name = options.name;
    this.#preparesStatements = settings.preparesStatements;
    this.#pool = new pg.Pool({
      ...clientConfig(settings, options),
      stream: () => this.#openSocket(),
      types: readTypes,
      max: options.max,
      // Otherwise the driver sends a query only after it has the answer to the one before.
      pipeline: true,
      idleTimeoutMillis: maxIdleMs,
      maxLifetimeSeconds: maxAgeSeconds,
      ...(options.name === "replica" ? {} : { onConnect: requirePrimary }),
    });
    // The pool replaces a connection that is lost while it is unused. If it is lost in use, its query fails.
    this.#pool.on("error", () => undefined);
    this.#pool.on("connect", (client) => client.on("error", () => undefined));
  }

  execute<Row>(query: SqlQuery<Row>): Promise<Row[]> {
    return this.hold((connection) => connection.execute(query));
  }

  snapshot<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    return this.hold((connection) => connection.snapshot(work));
  }

  async hold<Result>(work: (connection: PostgresConnection) => Promise<Result>): Promise<Result> {
    const connection = await this.connect();
    try {
      return await work(connection);
    } finally {
      connection.release();
    }
  }

  /** Takes a connection, which the caller releases. @throws AppError `unavailable` if none is free in time */
  async connect(): Promise<PostgresConnection> {
    try {
      return new PostgresConnection(await this.#pool.connect(), this.#preparesStatements);
    } catch (error) {
      throw translatePostgresError(error);
    }
  }

  load(): PoolLoad {
    const { totalCount, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { name: this.#name, max: this.max, used: totalCount - idle, idle, waiting };
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
    // The driver leaves a connection open if the server refused to authenticate it. The process would wait a minute for
    // its end.
    for (const socket of this.#sockets) socket.destroy();
  }

  #openSocket(): Socket {
    const socket = new Socket();
    this.#sockets.add(socket);
    return socket.once("close", () => this.#sockets.delete(socket));
  }
}

const readBytes: (text: string) => Uint8Array = pg.types.getTypeParser(byteaOid);
const readers = new Map<number, (text: string) => unknown>([
  [int8Oid, Number],
  // The driver would return a `Buffer`, which only Node.js has.
  [byteaOid, (text) => new Uint8Array(readBytes(text))],
]);
const readTypes: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") => readers.get(oid) ?? pg.types.getTypeParser(oid, format),
};

/** Checks that the server is not a replica, which would refuse writes and return outdated data. */
async function requirePrimary(client: ClientBase): Promise<void> {
  const { rows } = await client.query("select pg_is_in_recovery() as is_replica");
  if (rows[0]?.is_replica === true)
    throw databaseReadOnly(new Error("The server is a replica, which accepts no writes."));
}

function clientConfig(settings: PostgresSettings, { name, allowsLongStatements }: PoolOptions): ClientConfig {
  const { client, poolTimeoutMs, statementTimeoutMs } = settings;
  const options = [
    client.options,
    // For statements that are their own transactions. The role may have another default. The backslash escapes the
    // space.
    name === "write" ? "-c default_transaction_isolation=read\\ committed" : "-c default_transaction_read_only=on",
    // The role may have its own timeouts.
    allowsLongStatements ? "-c statement_timeout=0 -c idle_in_transaction_session_timeout=0" : "",
  ];
  const timeouts = {
    statement_timeout: statementTimeoutMs,
    // A server that hangs never reports its own timeout.
    query_timeout: statementTimeoutMs + graceMs,
    idle_in_transaction_session_timeout: maxTransactionIdleMs,
  };
  return {
    ...client,
    options: options.join(" ").trim(),
    ...(allowsLongStatements ? {} : timeouts),
    connectionTimeoutMillis: poolTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
  };
}
