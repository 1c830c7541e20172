import type { Server } from "node:http";
import type { Socket } from "node:net";

/** A source of connections that another process has accepted. */
export interface ConnectionSource {
  /** Starts to pass connections on. */
  start(onConnection: (socket: Socket) => void): void;
  /** Stops passing connections on. */
  stop(): void;
}

/**
 * Serves the connections of a source as if the server had accepted them itself.
 *
 * @returns a function that stops this, and resolves once the last connection is closed
 */
export function receiveConnections(server: Server, source: ConnectionSource): () => Promise<void> {
  const open = new Set<Socket>();
  const drained = Promise.withResolvers<void>();
  let isStopped = false;
  const noteClosed = () => {
    if (isStopped && open.size === 0) drained.resolve();
  };
  // From this event on, Node checks the time limits of headers and requests, and knows which connections are idle.
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
