import type { RawAnswer, RawConnection } from "../client/raw-connection.ts";
import { writeRequest } from "../client/write-request.ts";

/** A key with a limit, and connections to all workers that send its requests. */
export class LimitedKey {
  /** Requests per minute. */
  readonly limit: number;
  readonly #bytes: string;
  readonly #connections: readonly RawConnection[];
  #sent = 0;

  constructor(apiKey: string, limit: number, connections: readonly RawConnection[]) {
    this.limit = limit;
    this.#bytes = writeRequest({ method: "GET", path: "/api/v1/account", apiKey });
    this.#connections = connections;
  }

  get sent(): number {
    return this.#sent;
  }

  /** Sends one request over one of the connections. */
  async send(connection = 0): Promise<RawAnswer> {
    this.#sent += 1;
    const sender = this.#connections[connection % this.#connections.length];
    if (sender === undefined) throw new Error("No connection is open.");
    return await sender.send(this.#bytes);
  }

  /** Sends requests over all connections at once, until each has been refused. Returns how many were not. */
  async useUp(): Promise<number> {
    const counts = await Promise.all(this.#connections.map((_, connection) => this.#sendUntilRefused(connection)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async #sendUntilRefused(connection: number): Promise<number> {
    let passed = 0;
    // A key that is never refused has more than its limit.
    while (passed <= this.limit && (await this.send(connection)).status === 200) passed += 1;
    return passed;
  }
}
