import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";

/** A request counts as so much, and the body of a visit as what it takes. */
const requestBytes = 32 * 1024;
const maxBytes = 2_000 * requestBytes;

/** Bounds what all requests hold together. Of a connection, one is in flight at a time: many could fill it alone. */
export class InFlight {
  /** How many bytes each client holds that waits for an answer. */
  readonly held: Map<Socket, number> = new Map();
  #bytes = 0;

  /** Lets in a request until something closes. @returns whether there is room for it */
  admits(client: Socket, until: EventEmitter): boolean {
    if (this.held.has(client)) return false;
    until.once("close", () => {
      this.#bytes -= this.held.get(client) ?? 0;
      this.held.delete(client);
    });
    return this.holds(client, requestBytes);
  }

  /** Adds to what a request holds. @returns whether there is room for it */
  holds(client: Socket, bytes: number): boolean {
    this.held.set(client, (this.held.get(client) ?? 0) + bytes);
    this.#bytes += bytes;
    return this.#bytes <= maxBytes;
  }
}
