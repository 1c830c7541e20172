import { Socket } from "node:net";
import { storageReadOnly } from "@siteward/service";
import type { ClientBase, ClientConfig, CustomTypesConfig, Pool, PoolClient } from "pg";
import { ConnectionSemaphore } from "./connection-semaphore.ts";
import { translatePostgresError } from "./postgres-error.ts";
import type { PostgresSettings } from "./postgres-url.ts";
import { SharedConnections } from "./shared-connections.ts";

interface PoolOptions {
  readonly maxConnections: number;
  /** Which server of a replicated database the URL must point to. */
  readonly role: "primary" | "replica";
  readonly isReadOnly: boolean;
  /** Whether statements have no timeout. */
  readonly allowsLongStatements: boolean;
  /** Whether half of the connections are for short queries of several callers at the same time. */
  readonly isShared: boolean;
}

interface PoolLimits {
  readonly max: number;
  readonly maxShared: number;
  readonly maxWaitMs: number;
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

/** A bounded pool of connections to one PostgreSQL server. */
export class PostgresPool {
  readonly #pool: Pool;
  /** Limits how many callers have a connection of their own. */
  readonly #semaphore: ConnectionSemaphore;
  readonly #shared: SharedConnections<PoolClient> | undefined;
  readonly #sockets: ReadonlySet<Socket>;

  private constructor(pool: Pool, sockets: ReadonlySet<Socket>, { max, maxShared, maxWaitMs }: PoolLimits) {
    this.#pool = pool;
    this.#semaphore = new ConnectionSemaphore({ max: max - maxShared, maxWaitMs });
    const source = {
      acquire: () => connect(pool),
      release: (client: PoolClient, isUsable: boolean) => client.release(!isUsable),
    };
    this.#shared = maxShared === 0 ? undefined : new SharedConnections(source, { max: maxShared, maxWaitMs });
    this.#sockets = sockets;
  }

  /** Creates a pool. The driver is loaded here, so that installations on SQLite never load it. */
  static async create(settings: PostgresSettings, use: PoolOptions): Promise<PostgresPool> {
    const { default: pg } = await import("pg");
    const readBytes: (text: string) => Uint8Array = pg.types.getTypeParser(byteaOid);
    const readers = new Map<number, (text: string) => unknown>([
      [int8Oid, Number],
      // The driver would return a `Buffer`, which only Node.js has.
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
      // Otherwise the driver sends a query only after it has the answer to the one before.
      pipeline: use.isShared,
      idleTimeoutMillis: maxIdleMs,
      maxLifetimeSeconds: maxAgeSeconds,
      ...(use.role === "primary" ? { onConnect: requirePrimary } : {}),
    });
    // The pool replaces a connection that is lost while it is unused. If it is lost in use, its query fails.
    pool.on("error", () => undefined);
    pool.on("connect", (client) => client.on("error", () => undefined));
    return new PostgresPool(pool, sockets, {
      max: use.maxConnections,
      maxShared: use.isShared ? Math.floor(use.maxConnections / 2) : 0,
      maxWaitMs: settings.poolTimeoutMs,
    });
  }

  /**
   * Runs a short query on a connection that others use at the same time, if this pool shares connections.
   *
   * @param work calls `retire` if nobody can use the connection again
   * @returns undefined if it shares none
   * @throws StorageError `unavailable` if no connection has room in time
   */
  share<Result>(work: (client: PoolClient, retire: () => void) => Promise<Result>): Promise<Result> | undefined {
    return this.#shared?.use(work);
  }

  /** @throws StorageError `unavailable` if no connection is free in time */
  async acquire(): Promise<PoolClient> {
    await this.#semaphore.acquire();
    try {
      return await connect(this.#pool);
    } catch (error) {
      this.#semaphore.release();
      throw error;
    }
  }

  /** @param isUsable whether the connection can be used again */
  release(client: PoolClient, isUsable: boolean): void {
    client.release(!isUsable);
    this.#semaphore.release();
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
    // The driver leaves a connection open if the server refused to authenticate it. The process would wait a minute for its
    // end.
    for (const socket of this.#sockets) socket.destroy();
  }
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw translatePostgresError(error);
  }
}

function track(sockets: Set<Socket>): Socket {
  const socket = new Socket();
  sockets.add(socket);
  return socket.once("close", () => sockets.delete(socket));
}

/** Checks that the server is not a replica, which would refuse writes and return outdated data. */
async function requirePrimary(client: ClientBase): Promise<void> {
  const { rows } = await client.query("select pg_is_in_recovery() as is_replica");
  if (rows[0]?.is_replica === true)
    throw storageReadOnly(new Error("The server is a replica, which accepts no writes."));
}

function clientConfig(settings: PostgresSettings, { isReadOnly, allowsLongStatements }: PoolOptions): ClientConfig {
  const { client, connectTimeoutMs, statementTimeoutMs } = settings;
  const options = [
    client.options,
    isReadOnly ? "-c default_transaction_read_only=on" : "",
    // For statements that are their own transactions. The role may have another default. The backslash escapes the space.
    isReadOnly ? "" : "-c default_transaction_isolation=read\\ committed",
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
    application_name: "siteward",
    ...client,
    options: options.join(" ").trim(),
    ...(allowsLongStatements ? {} : timeouts),
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
  };
}
