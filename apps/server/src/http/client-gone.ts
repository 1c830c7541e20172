import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** One for each connection, so that many requests on one connection do not add a listener each. */
const signals = new WeakMap<Socket, AbortSignal>();

/**
 * Returns a signal that aborts once the connection of a request has closed, so that nobody can read the answer. It holds
 * also for a pipelined request whose response has no connection yet. A client that closes only its sending side counts as
 * gone, because Node then ends the connection before the answer.
 */
export function clientGone({ socket }: Pick<IncomingMessage, "socket">): AbortSignal {
  const known = signals.get(socket);
  if (known !== undefined) return known;
  const controller = new AbortController();
  if (socket.destroyed) controller.abort();
  else socket.once("close", () => controller.abort());
  signals.set(socket, controller.signal);
  return controller.signal;
}
