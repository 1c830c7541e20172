import type { Duplex } from "node:stream";

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
