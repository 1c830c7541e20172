import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { answerBrokenRequest } from "./http/broken-request.ts";

/** A server that accepts requests. */
export interface RunningServer {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Accepts no more connections, lets requests under way finish, and ends what has not finished after a while. */
  close(): Promise<void>;
}

/** Where to listen, and under which URL clients know the place if it is another. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly publicUrl?: string | undefined;
}

/** How long the server waits for a client. */
export interface ServerTimeouts {
  /** For the whole of a request. */
  readonly requestMs: number;
  readonly headersMs: number;
  /** How often the two above are looked at. */
  readonly checkingIntervalMs: number;
  readonly keepAliveMs: number;
  /** How long requests under way may take to finish once the server is closed. */
  readonly drainMs: number;
}

const defaultTimeouts: ServerTimeouts = {
  requestMs: 30_000,
  headersMs: 10_000,
  checkingIntervalMs: 2_000,
  // Longer than the 60 seconds for which common load balancers keep an idle connection, so that they close first.
  keepAliveMs: 65_000,
  drainMs: 10_000,
};

const idleCheckingIntervalMs = 50;

/** Listens with time-outs short enough that slow clients cannot hold the server. */
export async function serve(
  listener: RequestListener,
  address: ServerAddress,
  { logger, timeouts = defaultTimeouts }: { logger: Logger; timeouts?: ServerTimeouts | undefined },
): Promise<RunningServer> {
  const server = createServer(
    {
      requestTimeout: timeouts.requestMs,
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkingIntervalMs,
      keepAliveTimeout: timeouts.keepAliveMs,
      // Node would answer without a body; the listener refuses such a request like any other ambiguous one.
      requireHostHeader: false,
      // A request without a body is not made a stream of nothing.
      optimizeEmptyRequests: true,
    },
    listener,
  );
  // Node hides headers past this number from the listener while they still frame the body; the listener refuses them.
  server.maxHeadersCount = 0;
  // Expectations other than 100-continue may be passed over (RFC 9110, section 10.1.1); Node would refuse without a body.
  server.on("checkExpectation", listener);
  await listen(server, address);
  const url = urlOf(server, address.host);
  server.on("clientError", answerBrokenRequest({ baseUrl: address.publicUrl ?? url, logger }));
  return { url, close: () => drain(server, timeouts.drainMs) };
}

async function listen(server: Server, { host, port }: ServerAddress): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", (error) => reject(explainListenError(error, { host, port })));
  server.listen({ host, port }, resolve);
  await promise;
  server.removeAllListeners("error");
}

/** Says which setting helps where the system refuses the address. */
function explainListenError(error: NodeJS.ErrnoException, { host, port }: Pick<ServerAddress, "host" | "port">): Error {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${host} is taken; choose another with SITEWARD_PORT (--port).`,
    EACCES: `Port ${port} needs rights that this user does not have; choose another with SITEWARD_PORT (--port).`,
    EADDRNOTAVAIL: `This machine has no address ${host}; choose another with SITEWARD_HOST (--host).`,
    ENOTFOUND: `There is no host ${host}; choose another with SITEWARD_HOST (--host).`,
  };
  const reason = reasons[error.code ?? ""];
  return reason === undefined ? error : Object.assign(error, { message: reason });
}

function urlOf(server: Server, host: string): string {
  // A server that listens on a TCP port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function drain(server: Server, timeoutMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // A connection that is kept alive would hold the server open: each request from now on is its connection's last.
  server.prependListener("request", (_request, response) => response.setHeader("Connection", "close"));
  server.close(() => resolve());
  // A connection whose request began before now falls idle once that is answered, and Node looks for idle ones only once.
  const reap = setInterval(() => server.closeIdleConnections(), idleCheckingIntervalMs);
  const force = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await promise;
  clearInterval(reap);
  clearTimeout(force);
}
