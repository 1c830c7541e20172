import type { Server } from "node:http";
import type { Socket } from "node:net";

/** Where connections come from that another process has accepted. */
export interface ConnectionSource {
  /** Begins to hand over connections. */
  start(onConnection: (socket: Socket) => void): void;
  /** Hands over no more. */
  stop(): void;
}

/**
 * Serves the connections of a source, as if the server had accepted them itself.
 *
 * @returns what stops that: it resolves once the last connection is closed
 */
export function receiveConnections(server: Server, source: ConnectionSource): () => Promise<void> {
  const open = new Set<Socket>();
  const drained = Promise.withResolvers<void>();
  let isStopped = false;
  const noteClosed = () => {
    if (isStopped && open.size === 0) drained.resolve();
  };
  // Node checks the time limits of headers and requests, and knows which connections are idle, from this event on.
  server.emit("listening");
  source.start((socket) => {
    if (open.size >= (server.maxConnections ?? Number.POSITIVE_INFINITY)) {
      socket.destroy();
      return;
    }
    open.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      noteClosed();
    });
    // An HTTP server sets both on the connections that it accepts itself.
    socket.allowHalfOpen = true;
    socket.setNoDelay(true);
    server.emit("connection", socket);
  });
  return async () => {
    if (isStopped) return drained.promise;
    isStopped = true;
    source.stop();
    noteClosed();
    await drained.promise;
    server.emit("close");
  };
}
