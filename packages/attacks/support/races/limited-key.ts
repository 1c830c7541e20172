import type { Clock } from "@siteward/testing/services/open-clock";
import type { RawConnection } from "../client/raw-connection.ts";
import { writeRequest } from "../client/write-request.ts";

/** A minute fills a bucket that is empty. */
const minuteMs = 60_000;

/** A key with a limit of requests per minute, and connections to all workers that send its requests. */
export class LimitedKey {
  readonly #limit: number;
  readonly #bytes: string;
  readonly #connections: readonly RawConnection[];

  constructor(apiKey: string, limit: number, connections: readonly RawConnection[]) {
    this.#limit = limit;
    this.#bytes = writeRequest({ method: "GET", path: "/api/v1/account", apiKey });
    this.#connections = connections;
  }

  /** Checks that all workers together grant the limit once, also after the clock has jumped forward and back. */
  async findWrongCounts(clock: Clock, jumpMs: number): Promise<string[]> {
    const breaches: string[] = [];
    // What one worker holds in advance, and gives back within a second or two, another one cannot grant.
    const full = [this.#limit - Math.ceil(this.#limit / 4), this.#limit] as const;
    for (const [advanceMs, [min, max]] of [
      [minuteMs, full],
      [jumpMs, full],
      [-jumpMs, [0, 0]],
      [minuteMs, full],
    ] as const) {
      clock.advance(advanceMs);
      const granted = await this.#useUp();
      if (granted < min || granted > max)
        breaches.push(`${granted} requests passed instead of ${min} to ${max} after ${advanceMs} ms.`);
    }
    return breaches;
  }

  /** Sends requests over all connections at once, until each has been refused. Returns how many were not. */
  async #useUp(): Promise<number> {
    const counts = await Promise.all(this.#connections.map((connection) => this.#sendUntilRefused(connection)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async #sendUntilRefused(connection: RawConnection): Promise<number> {
    let passed = 0;
    // A key that is never refused has more than its limit.
    while (passed <= this.#limit && (await connection.send(this.#bytes)).status === 200) passed += 1;
    return passed;
  }
}
