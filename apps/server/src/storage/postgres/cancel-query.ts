import pg, { type Connection, type PoolClient } from "pg";

/** How long the server has for the request. One that hangs does not end it. */
const maxWaitMs = 1_000;

/** What identifies a session to the server. The types of the driver leave it out. Null before the session. */
interface Session {
  readonly processID: number | null;
  readonly secretKey: number | null;
}

/** A connection of the driver without a session, with the methods that its types leave out. */
interface CancelConnection extends Connection {
  connect(port: number, host: string): void;
  connect(path: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
}

/**
 * Asks the server to end the query whose answer a client no longer waits for. Otherwise the server continues with it,
 * which can take for ever: a commit waits for its synchronous replica without a limit. Never fails: the server may be
 * gone.
 */
export async function cancelQuery(client: PoolClient): Promise<void> {
  // The casts are safe: the driver's own clients have these fields, and use these methods.
  const { processID, secretKey } = client as unknown as Session;
  if (processID === null || secretKey === null) return;
  const connection = new pg.Connection({ ssl: client.ssl }) as CancelConnection;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const timer = setTimeout(end, maxWaitMs);
  const cancel = () => connection.cancel(processID, secretKey);
  connection.on("connect", () => (client.ssl ? connection.requestSsl() : cancel()));
  connection.on("sslconnect", cancel);
  // The server answers nothing, and closes the connection.
  connection.on("end", end).on("error", end);
  if (client.host.startsWith("/")) connection.connect(`${client.host}/.s.PGSQL.${client.port}`);
  else connection.connect(client.port, client.host);
  await ended;
  clearTimeout(timer);
  connection.stream.destroy();
}
