import type { Grant, RateLimits } from "@siteward/service";
import { RateLimiter } from "@siteward/service";
import type { LeaseAnswer, LeaseRequest } from "./lease-messages.ts";
import { LeasedKey } from "./leased-key.ts";

/**
 * How long a request waits for the first process, which answers within 1 ms unless the machine is overloaded. After that, the
 * worker counts by itself.
 */
const patienceMs = 1_000;

interface LeasedRateLimitsOptions {
  /** Sends a request to the first process. There is one at a time, so what waits for a process that hangs does not grow. */
  readonly send: (request: LeaseRequest) => void;
  /** A clock in milliseconds, which may jump. */
  readonly now: () => number;
  readonly patienceMs?: number;
}

/**
 * Counts the requests of this worker with tokens that the first process has granted. A request without a token waits for an
 * answer. The requests that come meanwhile wait for the next one, so there is one message per round trip at most. A
 * refusal is remembered until the next token is due, so a flood past the limit costs no messages.
 *
 * If the first process does not answer in time, this worker serves instead of refusing, and counts each key by itself until
 * an answer comes. So a key can at most send its limit once to each worker.
 */
export class LeasedRateLimits implements RateLimits {
  readonly #options: LeasedRateLimitsOptions;
  readonly #alone: RateLimiter;
  readonly #keys = new Map<number, LeasedKey>();
  /** The keys with requests that must be asked for. */
  readonly #toAsk = new Set<number>();
  readonly #toReturn = new Map<number, number>();
  #isAwaitingAnswer = false;
  #isSilent = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LeasedRateLimitsOptions) {
    this.#options = options;
    this.#alone = new RateLimiter(options.now);
  }

  take(keyId: number, limit: number): Grant | Promise<Grant> {
    const key = this.#keyOf(keyId, limit);
    key.used += 1;
    const known = key.waiting.length === 0 ? key.take(this.#options.now()) : undefined;
    if (known !== undefined) return known;
    if (this.#isSilent) return this.#alone.take(keyId, limit);
    const { promise, resolve } = Promise.withResolvers<Grant>();
    key.waiting.push(resolve);
    this.#toAsk.add(keyId);
    this.#send();
    return promise;
  }

  /** Takes the answer to the last request. */
  receive({ grants }: LeaseAnswer): void {
    clearTimeout(this.#timer);
    this.#isAwaitingAnswer = false;
    this.#isSilent = false;
    const nowMs = this.#options.now();
    for (const [keyId, granted, remaining, dueInMs] of grants) {
      const key = this.#keys.get(keyId);
      if (key === undefined) this.#giveBack(keyId, granted);
      else {
        key.add({ granted, remaining, dueInMs }, nowMs);
        this.#serve(keyId, key);
      }
    }
    this.#send();
  }

  /** Gives back what was not used in the last second, and forgets keys without requests. Call this once a second. */
  returnUnused(): void {
    const nowMs = this.#options.now();
    for (const [keyId, key] of this.#keys) {
      this.#surrender(keyId, key, Math.max(0, key.tokens - key.used));
      const isIdle = key.used === 0 && key.asked === 0 && key.waiting.length === 0 && !key.isRefused(nowMs);
      if (isIdle) this.#keys.delete(keyId);
      key.usedBefore = key.used;
      key.used = 0;
    }
    this.#send();
  }

  /** Gives back everything. Call this before the worker stops. */
  close(): void {
    clearTimeout(this.#timer);
    for (const [keyId, key] of this.#keys) this.#surrender(keyId, key, key.tokens);
    if (this.#toReturn.size > 0) this.#options.send({ asks: [], returns: [...this.#toReturn] });
    this.#toReturn.clear();
  }

  /** A key whose limit has changed is asked for again. What it had counted stays counted. */
  #keyOf(keyId: number, limit: number): LeasedKey {
    const known = this.#keys.get(keyId);
    if (known?.limit === limit || (known !== undefined && known.asked + known.waiting.length > 0)) return known;
    if (known !== undefined) this.#surrender(keyId, known, known.tokens);
    const key = new LeasedKey(limit);
    this.#keys.set(keyId, key);
    return key;
  }

  /** Answers waiting requests with what is known. If that is not enough, those that came too late are asked for. */
  #serve(keyId: number, key: LeasedKey): void {
    const nowMs = this.#options.now();
    while (key.waiting.length > 0) {
      const grant = key.take(nowMs);
      if (grant === undefined) {
        this.#toAsk.add(keyId);
        return;
      }
      key.waiting.shift()?.(grant);
    }
    this.#toAsk.delete(keyId);
  }

  #surrender(keyId: number, key: LeasedKey, count: number): void {
    key.remove(count);
    this.#giveBack(keyId, count);
  }

  #giveBack(keyId: number, count: number): void {
    if (count > 0) this.#toReturn.set(keyId, (this.#toReturn.get(keyId) ?? 0) + count);
  }

  #send(): void {
    if (this.#isAwaitingAnswer || (this.#toAsk.size === 0 && this.#toReturn.size === 0)) return;
    const asks = [...this.#toAsk].map((keyId) => this.#toAskOf(keyId));
    this.#options.send({ asks, returns: [...this.#toReturn] });
    this.#toAsk.clear();
    this.#toReturn.clear();
    this.#isAwaitingAnswer = true;
    this.#timer = setTimeout(() => this.#serveAlone(), this.#options.patienceMs ?? patienceMs).unref();
  }

  /** A worker expects as many requests of a key as it has counted in this second or in the last one. */
  #toAskOf(keyId: number): LeaseRequest["asks"][number] {
    const key = this.#keys.get(keyId);
    if (key === undefined) return [keyId, 1, 0, 0];
    key.asked = key.waiting.length;
    return [keyId, key.limit, key.asked, Math.max(0, key.used - key.asked, key.usedBefore - key.used)];
  }

  /** Called if the first process does not answer in time. */
  #serveAlone(): void {
    this.#isSilent = true;
    for (const [keyId, key] of this.#keys) {
      const waiting = key.waiting.splice(0);
      for (const [index, serve] of waiting.entries()) {
        const grant = this.#alone.take(keyId, key.limit);
        if (index < key.asked) key.servedUnanswered += grant.granted;
        serve(grant);
      }
    }
    this.#toAsk.clear();
  }
}
