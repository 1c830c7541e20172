import { type Grant, oneRequest, type RateLimits } from "@siteward/service";

/** What a worker asks of the process that counts for all, and its answer. */
export type LeaseRequest = Readonly<{ keyId: number; limit: number; count: number }>;
export type LeaseAnswer = Grant & Pick<LeaseRequest, "keyId">;

/** The first process answers within 1 ms unless the machine is overloaded. */
const patienceMs = 1_000;
/** Of how many keys a worker remembers what it has. */
const maxKeys = 10_000;

/** What a worker knows about one key. */
class LeasedKey {
  /** Called with what each waiting request gets, in order. */
  readonly line: ((grant: Grant) => void)[] = [];
  tokens = 0;
  /** How many tokens are asked for. One request is under way for each key. */
  asked = 0;
  /** Ends the wait for them. */
  late: NodeJS.Timeout | undefined;
  /** What the first process said last: what remained, when the next token is due, and whether it had too few. */
  remaining = 0;
  dueAtMs = 0;
  isRefused = false;
  readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** @returns what a request gets, or undefined if the first process must be asked */
  take(nowMs: number): Grant | undefined {
    const waitMs = this.dueAtMs - nowMs;
    const intervalMs = oneRequest / this.limit;
    // A refusal holds until the next token is due, so that a flood past the limit sends no messages. A clock that was set back
    // says nothing.
    if (this.tokens === 0 && !(this.isRefused && waitMs > 0 && waitMs <= intervalMs)) return undefined;
    const granted = Math.min(1, this.tokens);
    this.tokens -= granted;
    // The first process is not asked for each token, so a time that has passed is the one of the last token.
    const dueInMs = Math.ceil(waitMs > 0 ? waitMs : intervalMs + (waitMs % intervalMs));
    return { granted, remaining: granted * (this.remaining + this.tokens), dueInMs };
  }
}

interface LeasedRateLimitsOptions {
  readonly send: (request: LeaseRequest) => void;
  /** How many workers share each key. */
  readonly workers: number;
  /** A clock in milliseconds. */
  readonly now: () => number;
}

/**
 * Counts the requests of this worker with tokens that the first process has granted: those of a tenth of a second at a
 * time, or of less with more than ten workers. What workers hold and do not use is at most a sixtieth of the limit. If
 * the first process does not answer within a second, those that wait pass uncounted.
 */
export class LeasedRateLimits implements RateLimits {
  readonly #options: LeasedRateLimitsOptions;
  readonly #keys = new Map<number, LeasedKey>();

  constructor(options: LeasedRateLimitsOptions) {
    this.#options = options;
  }

  take(keyId: number, limit: number): Grant | Promise<Grant> {
    let key = this.#keys.get(keyId);
    // What a key has that was not used for a minute says nothing any more.
    const isOld = key !== undefined && (key.limit !== limit || this.#options.now() > key.dueAtMs + oneRequest);
    if (key === undefined || (isOld && key.asked === 0)) {
      key = new LeasedKey(limit);
      this.#forgetOldest();
      this.#keys.set(keyId, key);
    }
    const known = key.line.length === 0 ? key.take(this.#options.now()) : undefined;
    if (known !== undefined) return known;
    const { promise, resolve } = Promise.withResolvers<Grant>();
    key.line.push(resolve);
    if (key.asked === 0) this.#ask(keyId, key);
    return promise;
  }

  /** Takes the answer to a request. Who came too late for it is asked for, unless it was a refusal. */
  receive({ keyId, granted, remaining, dueInMs }: LeaseAnswer): void {
    const key = this.#keys.get(keyId);
    if (key === undefined) return;
    clearTimeout(key.late);
    const nowMs = this.#options.now();
    Object.assign(key, { isRefused: granted < key.asked, asked: 0, remaining, dueAtMs: nowMs + dueInMs });
    key.tokens += granted;
    while (key.line.length > 0) {
      const grant = key.take(nowMs);
      if (grant === undefined) return void this.#ask(keyId, key);
      key.line.shift()?.(grant);
    }
  }

  #forgetOldest(): void {
    for (const [keyId, { asked }] of this.#keys) {
      if (this.#keys.size < maxKeys) return;
      if (asked === 0) this.#keys.delete(keyId);
    }
  }

  #ask(keyId: number, key: LeasedKey): void {
    const { limit, line } = key;
    const batch = Math.ceil(limit / (60 * Math.max(10, this.#options.workers)));
    key.asked = Math.max(batch, line.length);
    const uncounted = { keyId, remaining: limit - 1, dueInMs: Math.ceil(oneRequest / limit) };
    const letPass = () => this.receive({ ...uncounted, granted: Math.max(key.asked, line.length) });
    key.late = setTimeout(letPass, patienceMs).unref();
    this.#options.send({ keyId, limit, count: key.asked });
  }
}
