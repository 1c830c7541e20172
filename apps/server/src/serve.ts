import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { answerBrokenRequest } from "./http/broken-request.ts";

/** A server that accepts requests. */
export interface RunningServer {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Accepts no more connections, lets requests under way finish, and ends what has not finished after a while. */
  close(): Promise<void>;
}

const requestTimeoutMs = 30_000;
const headersTimeoutMs = 10_000;
const connectionsCheckingIntervalMs = 2_000;
/** Longer than the 60 seconds for which common load balancers keep an idle connection, so that they close first. */
const keepAliveTimeoutMs = 65_000;
const drainTimeoutMs = 10_000;

/** Listens with time-outs short enough that slow clients cannot hold the server. */
export async function serve(
  listener: RequestListener,
  address: { host: string; port: number },
): Promise<RunningServer> {
  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: connectionsCheckingIntervalMs,
      keepAliveTimeout: keepAliveTimeoutMs,
    },
    listener,
  );
  // Node hides headers past this number from the listener while they still frame the body; the listener refuses them.
  server.maxHeadersCount = 0;
  server.on("clientError", answerBrokenRequest);
  await listen(server, address);
  return { url: urlOf(server, address.host), close: () => drain(server) };
}

async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen({ host, port }, resolve);
  await promise;
  server.off("error", reject);
}

function urlOf(server: Server, host: string): string {
  // A server that listens on a TCP port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function drain(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // A connection that is kept alive would hold the server open: each answer from now on is its connection's last.
  server.prependListener("request", (_request, response) => response.setHeader("Connection", "close"));
  server.close(() => resolve());
  const force = setTimeout(() => server.closeAllConnections(), drainTimeoutMs);
  await promise;
  clearTimeout(force);
}
