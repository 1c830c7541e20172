import type { Clock } from "@siteward/testing/services/open-clock";
import type { RawAnswer, RawConnection } from "../client/raw-connection.ts";
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

  /** Checks a new key: as many requests pass as each answer says, no more, and one more when the refusal says. */
  async findWrongFields(clock: Clock): Promise<string[]> {
    const first = readFields(await this.#send());
    if (first === undefined) return ["an answer has no RateLimit and RateLimit-Policy headers."];
    const breaches: string[] = [];
    if (first.limit !== this.#limit) breaches.push(`RateLimit-Policy says ${first.limit}.`);
    for (let left = first.remaining; left > 0; left -= 1) {
      const answer = await this.#send();
      const said = readFields(answer)?.remaining;
      if (answer.status !== 200 || said !== left - 1)
        breaches.push(`${left} remained, and then ${answer.status} with ${said}.`);
    }
    const refused = await this.#send();
    const due = readFields(refused)?.dueInSeconds ?? 0;
    const retryAfter = Number(refused.headers.get("retry-after"));
    if (refused.status !== 429 || retryAfter !== due)
      breaches.push(`${refused.status}, Retry-After ${retryAfter}, t=${due}.`);
    clock.advance(due * 1_000 - 1);
    const tooEarly = await this.#send(1);
    clock.advance(1);
    const statuses = [tooEarly, await this.#send(1), await this.#send(1)].map(({ status }) => status).join(" ");
    if (statuses !== "429 200 429") breaches.push(`before, at and after the time that t says: ${statuses}.`);
    return breaches;
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

  async #send(connection = 0): Promise<RawAnswer> {
    const sender = this.#connections[connection % this.#connections.length];
    if (sender === undefined) throw new Error("No connection is open.");
    return await sender.send(this.#bytes);
  }

  /** Sends requests over all connections at once, until each has been refused. Returns how many were not. */
  async #useUp(): Promise<number> {
    const counts = await Promise.all(this.#connections.map((_, connection) => this.#sendUntilRefused(connection)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async #sendUntilRefused(connection: number): Promise<number> {
    let passed = 0;
    // A key that is never refused has more than its limit.
    while (passed <= this.#limit && (await this.#send(connection)).status === 200) passed += 1;
    return passed;
  }
}

function readFields({ headers }: RawAnswer) {
  const policy = /^"default";q=(\d+);w=60$/.exec(headers.get("ratelimit-policy") ?? "");
  const state = /^"default";r=(\d+);t=(\d+)$/.exec(headers.get("ratelimit") ?? "");
  if (policy === null || state === null) return undefined;
  return { limit: Number(policy[1]), remaining: Number(state[1]), dueInSeconds: Number(state[2]) };
}
