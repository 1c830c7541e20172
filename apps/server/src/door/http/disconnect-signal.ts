import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** One for each connection, so that many requests on one connection do not each add a listener. */
const signals = new WeakMap<Socket, AbortSignal>();

/**
 * Returns a signal that aborts once the client has closed its side of the connection. This also works for a pipelined
 * request whose response has no connection yet. A client that closes only its sending side and still reads looks the
 * same: it counts as disconnected, and reads an answer that says so.
 */
export function disconnectSignalOf({ socket }: Pick<IncomingMessage, "socket">): AbortSignal {
  const known = signals.get(socket);
  if (known !== undefined) return known;
  const controller = new AbortController();
  if (socket.destroyed || socket.readableEnded) controller.abort();
  else socket.once("end", () => controller.abort()).once("close", () => controller.abort());
  signals.set(socket, controller.signal);
  return controller.signal;
}
