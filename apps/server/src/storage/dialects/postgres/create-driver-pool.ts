import { Socket } from "node:net";
import { databaseReadOnly } from "@siteward/service";
import type { ClientBase, ClientConfig, CustomTypesConfig, Pool } from "pg";
import type { CreateConnection } from "./cancel-query.ts";
import type { PostgresSettings } from "./postgres-url.ts";

/** What the connections of a pool are used for. */
export interface PoolUse {
  /** Which server of a replicated database the URL must point to. */
  readonly role: "primary" | "replica";
  readonly isReadOnly: boolean;
  /** Whether statements have no timeout. */
  readonly allowsLongStatements: boolean;
  /** Whether half of the connections are for short queries of several callers at the same time. */
  readonly isShared: boolean;
}

/** The driver's own pool. */
export interface DriverPool {
  readonly pool: Pool;
  /** The sockets of all its connections that are open. */
  readonly sockets: ReadonlySet<Socket>;
  /** Creates a connection that is not in the pool. */
  readonly createConnection: CreateConnection;
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

/** Creates the driver's pool. The driver is loaded here, so that installations on SQLite never load it. */
export async function createDriverPool(settings: PostgresSettings, use: PoolUse, max: number): Promise<DriverPool> {
  const { default: pg } = await import("pg");
  const readBytes: (text: string) => Uint8Array = pg.types.getTypeParser(byteaOid);
  const readers = new Map<number, (text: string) => unknown>([
    [int8Oid, Number],
    // The driver would return a `Buffer`, which only Node.js has.
    [byteaOid, (text) => new Uint8Array(readBytes(text))],
  ]);
  const types: CustomTypesConfig = {
    getTypeParser: (oid: number, format?: "text" | "binary") => readers.get(oid) ?? pg.types.getTypeParser(oid, format),
  };
  const sockets = new Set<Socket>();
  const pool = new pg.Pool({
    ...clientConfig(settings, use),
    stream: () => track(sockets),
    types,
    max,
    // Otherwise the driver sends a query only after it has the answer to the one before.
    pipeline: use.isShared,
    idleTimeoutMillis: maxIdleMs,
    maxLifetimeSeconds: maxAgeSeconds,
    ...(use.role === "primary" ? { onConnect: requirePrimary } : {}),
  });
  // The pool replaces a connection that is lost while it is unused. If it is lost in use, its query fails.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return { pool, sockets, createConnection: (config) => new pg.Connection(config) };
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
    throw databaseReadOnly(new Error("The server is a replica, which accepts no writes."));
}

function clientConfig(settings: PostgresSettings, { isReadOnly, allowsLongStatements }: PoolUse): ClientConfig {
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
    ...client,
    options: options.join(" ").trim(),
    ...(allowsLongStatements ? {} : timeouts),
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
  };
}
