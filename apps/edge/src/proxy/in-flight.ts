import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";

/** How many requests are let in at once, and how many of them are visits with a large body. */
const [maxRequests, maxLarge] = [2_000, 64];

export type InFlight = ReturnType<typeof createInFlight>;

/** Bounds what all requests hold together. Of a connection, one is in flight at a time: many could fill it alone. */
export function createInFlight() {
  const [held, large] = [new Map<Socket, number>(), new Set<Socket>()];
  /** Holds a request until this has closed, and all else that it waits for. */
  const waitFor = (client: Socket, part: EventEmitter) => {
    held.set(client, (held.get(client) ?? 0) + 1);
    part.on("close", () => {
      const left = (held.get(client) ?? 0) - 1;
      if (left > 0) return void held.set(client, left);
      held.delete(client);
      large.delete(client);
    });
  };
  /** Lets in a request until its answer has closed. @returns whether there is room for it */
  const admits = (client: Socket, answer: EventEmitter, isLarge: boolean): boolean => {
    if (held.has(client) || held.size >= maxRequests || (isLarge && large.size >= maxLarge)) return false;
    if (isLarge) large.add(client);
    waitFor(client, answer);
    return true;
  };
  return { held, waitFor, admits };
}
