import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";

const maxRequests = 2_000;
/** Each can have a body of so many bytes, and all larger ones are bounded together. */
const smallBytes = 32 * 1024;
const maxLargeBytes = maxRequests * smallBytes;

/** Bounds what all requests hold together. Of a connection, one is in flight at a time: many could fill it alone. */
export class InFlight {
  readonly held = new Map<Socket, { largeBytes: number; parts: number }>();
  #largeBytes = 0;

  /** Lets in a request until its answer has closed, and what else it waits for. @returns whether there is room for it */
  admits(client: Socket, answer: EventEmitter): boolean {
    if (this.held.has(client) || this.held.size >= maxRequests) return false;
    this.held.set(client, { largeBytes: 0, parts: 0 });
    this.waits(client, answer);
    return true;
  }

  waits(client: Socket, part: EventEmitter): void {
    const own = this.held.get(client);
    if (own === undefined) return;
    own.parts += 1;
    part.once("close", () => {
      own.parts -= 1;
      if (own.parts > 0) return;
      this.#largeBytes -= own.largeBytes;
      this.held.delete(client);
    });
  }

  /** @returns whether there is room for a body that grows to so many bytes */
  holds(client: Socket, bytes: number): boolean {
    const own = this.held.get(client);
    if (own === undefined || bytes <= smallBytes) return true;
    this.#largeBytes += bytes - own.largeBytes;
    own.largeBytes = bytes;
    return this.#largeBytes <= maxLargeBytes;
  }
}
