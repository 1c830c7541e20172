import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import type { Duplex } from "node:stream";

/** How a server stops. Both ways can be used in turn; the second one then speeds up the first. */
export interface Drain {
  /** Stops accepting connections, lets requests in progress finish, and ends what has not finished in time. */
  close(): Promise<void>;
  /** Does the same, but first gives idle connections time to send one more request, which is answered as their last. */
  retire(): Promise<void>;
}

interface DrainTimeouts {
  /** How long requests in progress may take to finish once the server is closed. */
  readonly drainMs: number;
  /** How long idle connections are kept before that, while other processes continue to serve. */
  readonly idleGraceMs: number;
}

const idleCheckingIntervalMs = 50;

/**
 * Prepares how a server stops. If a connection is cut while its client sends the next request, the client sees a
 * failure, and does not send the request again unless that is safe. So while other processes continue to serve, a
 * connection is ended by a response that says so.
 */
export function createDrain(server: Server, { drainMs, idleGraceMs }: DrainTimeouts): Drain {
  let end: Promise<void> | undefined;
  const close = async () => {
    end ??= stopAccepting(server);
    server.closeIdleConnections();
    // A connection whose request began before now becomes idle once that request is answered.
    const reap = setInterval(() => server.closeIdleConnections(), idleCheckingIntervalMs);
    const force = setTimeout(() => server.closeAllConnections(), drainMs);
    await end;
    clearInterval(reap);
    clearTimeout(force);
  };
  const retire = async () => {
    end ??= stopAccepting(server);
    const grace = setTimeout(() => void close(), idleGraceMs);
    await end;
    clearTimeout(grace);
  };
  return { close, retire };
}

/** Resolves once the last connection is closed. From now on, each response is the last on its connection. */
function stopAccepting(server: Server): Promise<void> {
  // A connection that is kept alive would keep the server open.
  for (const event of ["request", "checkContinue", "checkExpectation"]) {
    server.prependListener(event, (_request, response) => response.setHeader("Connection", "close"));
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  // The `close` of an HTTP server cuts idle connections at once, and no longer checks how long requests take.
  NetServer.prototype.close.call(server, () => resolve());
  return promise;
}

/** How long a client may take to close its side of a connection after the last response. */
export const lingerMs = 2_000;

/**
 * Sends the last bytes of a connection and ends it. If a connection is closed while the client still sends, it is reset
 * and the client can lose the response. So the client gets two seconds to close it first (RFC 9112, section 9.6).
 */
export function endConnection(socket: Duplex, lastBytes = ""): void {
  socket.end(lastBytes);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
}
