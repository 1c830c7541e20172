import { Socket } from "node:net";
import type { ClientBase, ClientConfig, CustomTypesConfig, Pool, PoolClient } from "pg";
import { ConnectionSemaphore } from "./connection-semaphore.ts";
import { translatePostgresError } from "./postgres-error.ts";
import type { PostgresSettings } from "./postgres-url.ts";

/** How a pool is to be used. */
export interface PoolOptions {
  readonly maxConnections: number;
  /** What of a server with replicas is wanted. */
  readonly role: "primary" | "replica";
  readonly isReadOnly: boolean;
  /** Whether a statement may take as long as it needs. */
  readonly allowsLongStatements: boolean;
}

/** After this the server ends a transaction whose owner says nothing more, so that its locks hold nobody up for long. */
const maxTransactionIdleMs = 10_000;
/** The server is given this much longer to say that a statement took too long than the statement has. */
const graceMs = 1_000;
/** After this the network is asked whether the other side is still there. */
const keepAliveMs = 10_000;
/** A connection that nobody used for so long is closed. */
const maxIdleMs = 60_000;
/** A connection that is older is made anew, since its address may lead to another server by now. */
const maxAgeSeconds = 30 * 60;
/** The type of whole numbers of 64 bits, which the driver would read as text. Ours have up to 53. */
const int8Oid = 20;
const byteaOid = 17;

/** Connections to one PostgreSQL server, lent to one user each. */
export class PostgresPool {
  readonly #pool: Pool;
  readonly #semaphore: ConnectionSemaphore;
  readonly #sockets: ReadonlySet<Socket>;

  private constructor(pool: Pool, semaphore: ConnectionSemaphore, sockets: ReadonlySet<Socket>) {
    this.#pool = pool;
    this.#semaphore = semaphore;
    this.#sockets = sockets;
  }

  /** The driver is loaded only where there is a PostgreSQL database. */
  static async create(settings: PostgresSettings, use: PoolOptions): Promise<PostgresPool> {
    const { default: pg } = await import("pg");
    const readBytes: (text: string) => Uint8Array = pg.types.getTypeParser(byteaOid);
    const readers = new Map<number, (text: string) => unknown>([
      [int8Oid, Number],
      // Not as a Buffer, which is Node's alone.
      [byteaOid, (text) => new Uint8Array(readBytes(text))],
    ]);
    const types: CustomTypesConfig = {
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        readers.get(oid) ?? pg.types.getTypeParser(oid, format),
    };
    const sockets = new Set<Socket>();
    const pool = new pg.Pool({
      ...clientConfig(settings, use),
      stream: () => track(sockets),
      types,
      max: use.maxConnections,
      idleTimeoutMillis: maxIdleMs,
      maxLifetimeSeconds: maxAgeSeconds,
      ...(use.role === "primary" ? { onConnect: requirePrimary } : {}),
    });
    // A connection that is lost while nobody uses it is replaced at its next use, and whoever uses one is told there.
    pool.on("error", () => undefined);
    pool.on("connect", (client) => client.on("error", () => undefined));
    return new PostgresPool(
      pool,
      new ConnectionSemaphore({ max: use.maxConnections, maxWaitMs: settings.poolTimeoutMs }),
      sockets,
    );
  }

  /** @throws StorageError `unavailable` if there is no free connection in time */
  async acquire(): Promise<PoolClient> {
    try {
      await this.#semaphore.acquire();
      return await this.#pool.connect().catch((error: unknown) => {
        this.#semaphore.release();
        throw error;
      });
    } catch (error) {
      throw translatePostgresError(error);
    }
  }

  /** @param isUsable whether the connection can be lent again */
  release(client: PoolClient, isUsable: boolean): void {
    client.release(!isUsable);
    this.#semaphore.release();
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
    // The driver leaves a connection open that the server did not let in; the process would wait a minute for its end.
    for (const socket of this.#sockets) socket.destroy();
  }
}

function track(sockets: Set<Socket>): Socket {
  const socket = new Socket();
  sockets.add(socket);
  return socket.once("close", () => sockets.delete(socket));
}

/** A server that has become a replica, or still is one, would refuse writes and answer reads from the past. */
async function requirePrimary(client: ClientBase): Promise<void> {
  const { rows } = await client.query("select pg_is_in_recovery() as is_replica");
  if (rows[0]?.is_replica === true) throw new Error("The server is a replica, which accepts no writes.");
}

function clientConfig(settings: PostgresSettings, { isReadOnly, allowsLongStatements }: PoolOptions): ClientConfig {
  const { client, connectTimeoutMs, statementTimeoutMs } = settings;
  const options = [
    client.options,
    isReadOnly ? "-c default_transaction_read_only=on" : "",
    // The role may have limits of its own.
    allowsLongStatements ? "-c statement_timeout=0 -c idle_in_transaction_session_timeout=0" : "",
  ];
  const timeouts = {
    statement_timeout: statementTimeoutMs,
    // A server that hangs says nothing at all.
    query_timeout: statementTimeoutMs + graceMs,
    idle_in_transaction_session_timeout: maxTransactionIdleMs,
  };
  return {
    application_name: "siteward",
    ...client,
    options: options.join(" ").trim(),
    ...(allowsLongStatements ? {} : timeouts),
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
  };
}
