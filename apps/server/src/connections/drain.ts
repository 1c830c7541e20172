import type { Server } from "node:http";
import { Server as NetServer } from "node:net";

/** How a server comes to its end. Both ways can be taken one after the other; the second then hurries the first. */
export interface Drain {
  /** Accepts no more connections, lets requests under way finish, and ends what has not finished after a while. */
  close(): Promise<void>;
  /** The same, but first gives idle connections time to send one more request, which is answered as their last. */
  retire(): Promise<void>;
}

export interface DrainTimeouts {
  /** How long requests under way may take to finish once the server is closed. */
  readonly drainMs: number;
  /** How long idle connections are kept before that, where others go on serving. */
  readonly idleGraceMs: number;
}

const idleCheckingIntervalMs = 50;

/**
 * Prepares the end of a server. A connection that is cut while its client sends the next request looks to the client like
 * a failure, and one that was not safe to send twice is not sent again; so where others go on serving, a connection is
 * ended by an answer that says so.
 *
 * @param stopAccepting accepts no more connections, and resolves once the last one is closed
 */
export function createDrain(
  server: Server,
  stopAccepting: () => Promise<void>,
  { drainMs, idleGraceMs }: DrainTimeouts,
): Drain {
  let closed: Promise<void> | undefined;
  const acceptNoMore = () => {
    if (closed === undefined) {
      endConnectionsWithNextAnswer(server);
      closed = stopAccepting();
    }
    return closed;
  };
  const close = async () => {
    const end = acceptNoMore();
    server.closeIdleConnections();
    // A connection whose request began before now falls idle once that is answered.
    const reap = setInterval(() => server.closeIdleConnections(), idleCheckingIntervalMs);
    const force = setTimeout(() => server.closeAllConnections(), drainMs);
    await end;
    clearInterval(reap);
    clearTimeout(force);
  };
  const retire = async () => {
    const end = acceptNoMore();
    const grace = setTimeout(() => void close(), idleGraceMs);
    await end;
    clearTimeout(grace);
  };
  return { close, retire };
}

/** Stops a server that listens itself. */
export function closeListener(server: Server): () => Promise<void> {
  return () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    // The closing of an HTTP server cuts idle connections at once, and looks no more at how long requests take.
    NetServer.prototype.close.call(server, () => resolve());
    return promise;
  };
}

function endConnectionsWithNextAnswer(server: Server): void {
  // A connection that is kept alive would hold the server open: each request from now on is its connection's last.
  for (const event of ["request", "checkContinue", "checkExpectation"]) {
    server.prependListener(event, (_request, response) => response.setHeader("Connection", "close"));
  }
}
