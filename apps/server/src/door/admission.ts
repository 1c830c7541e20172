import { availableParallelism } from "node:os";
import { setTimeout } from "node:timers/promises";
import { AppError, clientDisconnected, type PasswordHasher } from "@siteward/service";
import { hashPassword } from "../auth/passwords.ts";
import type { Step } from "./run-steps.ts";

/** How many reads, and writes, run at the same time: enough to fill every batch, and at most 8 MiB of bodies. */
const maxRunning = 128;
/** How many passwords are hashed at the same time: a core stays free for the event loop, and half of libuv's threads. */
const maxHashing = availableParallelism() > 2 ? 2 : 1;
/** How long a request may have waited once its password can be hashed. */
const maxHashWaitMs = 5_000;
/**
 * How many one turn of the event loop starts. Node accepts one connection per turn, and a turn that started all
 * requests of 1,200 connections took two seconds.
 */
const maxStarts = 32;
/** How long a refused client should wait before it tries again. The refusal comes at the end of that time. */
const retryAfterS = 1;

const serverIsBusy = "The server is busy. Nothing was changed. Retry the request in a moment.";
const accountIsBusy =
  "This account already has as many requests waiting as the server gives one account. Nothing was changed. " +
  "Send fewer requests at a time, and retry this one in a moment.";
const tooManyPasswords =
  "Too many passwords wait to be hashed. Nothing was changed. " +
  "Send fewer passwords at a time, and retry this request in a moment.";

interface AdmissionOptions {
  /** How many run at the same time. */
  readonly size: number;
  /** How many of these one account may have for each that is free. */
  readonly share: number;
  /** How many wait. One account has at most half of this line. */
  readonly maxWaiting: number;
}

/**
 * Decides who runs and who waits. An account runs one more while it has fewer than its share of those that are free,
 * and accounts take turns. With a share of 1, one account has at most half of all, two have a third each, and one that
 * has none gets one, however many the others want. Switches share their memory between their ports by this rule
 * (Choudhury and Hahne, "Dynamic queue length thresholds", 1998). The starts of a turn are shared by the same rule.
 * Accounts are counted and not keys, so that a second key gives no second share.
 */
class Admission {
  readonly #options: AdmissionOptions;
  readonly #held = new Map<number, number>();
  /** What starts those that wait, by account. The account whose turn is next comes first. */
  readonly #lines = new Map<number, (() => void)[]>();
  readonly #onNextTurn = () => {
    this.#started.clear();
    this.#startsLeft = maxStarts;
    this.#startMore();
  };
  #free: number;
  #waiting = 0;
  /** How many this turn of the event loop has started, by account. */
  readonly #started = new Map<number, number>();
  #startsLeft = maxStarts;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#free = options.size;
  }

  /** How many run or wait. */
  get inProgress(): number {
    return this.#options.size - this.#free + this.#waiting;
  }

  /**
   * Takes a place for a request of an account. Each place must be given back with `leave`.
   *
   * @returns undefined if it runs now, else a promise of how long it had to wait, in milliseconds. It rejects if too
   *   many wait: one account has at most half of the line.
   */
  enter(accountId: number, hasBody = false): Promise<number> | undefined {
    const line = this.#lines.get(accountId);
    if (line === undefined && this.#take(accountId)) return undefined;
    if ((line?.length ?? 0) >= this.#options.maxWaiting - this.#waiting) return this.#refuse(hasBody);
    this.#waiting += 1;
    const sinceMs = performance.now();
    return new Promise((resolve) => {
      const start = () => resolve(performance.now() - sinceMs);
      if (line === undefined) this.#lines.set(accountId, [start]);
      else line.push(start);
    });
  }

  leave(accountId: number): void {
    const held = (this.#held.get(accountId) ?? 0) - 1;
    if (held > 0) this.#held.set(accountId, held);
    else this.#held.delete(accountId);
    this.#free += 1;
    this.#startMore();
  }

  #take(accountId: number): boolean {
    const held = this.#held.get(accountId) ?? 0;
    const started = this.#started.get(accountId) ?? 0;
    if (held >= this.#free * this.#options.share || started >= this.#startsLeft) return false;
    this.#held.set(accountId, held + 1);
    this.#free -= 1;
    if (this.#startsLeft === maxStarts) setImmediate(this.#onNextTurn);
    this.#started.set(accountId, started + 1);
    this.#startsLeft -= 1;
    return true;
  }

  #startMore(): void {
    for (const [accountId, line] of this.#lines) {
      if (this.#free === 0 || this.#startsLeft === 0) return;
      if (!this.#take(accountId)) continue;
      // The account is last in turn from now on, and this loop gets to it again.
      this.#lines.delete(accountId);
      const start = line.shift();
      if (line.length > 0) this.#lines.set(accountId, line);
      this.#waiting -= 1;
      start?.();
    }
  }

  /**
   * Refuses a request, but not at once. 600 connections that tried again at once took all of the process: another
   * account waited 64 instead of 3 ms, and their own got a ninth of its pages.
   */
  async #refuse(hasBody: boolean): Promise<never> {
    const detail = this.#waiting >= this.#options.maxWaiting ? serverIsBusy : accountIsBusy;
    await setTimeout(retryAfterS * 1000);
    // A body that is not read ends the connection.
    const facts = { retryAfterS, ...(hasBody ? { connection: "close" as const } : {}) };
    throw new AppError("unavailable", detail, { facts, reason: "overload" });
  }
}

export type Admissions = ReturnType<typeof admitRequests>;

/** The reads and the writes of a process, of each of which so many may wait: readers never wait for writers. */
export function admitRequests(maxWaiting: number) {
  const options = { size: maxRunning, share: 1, maxWaiting };
  return { reads: new Admission(options), writes: new Admission(options) };
}

/**
 * Lets a request with a valid API key run, now or later, or refuses it. One whose client has left meanwhile runs
 * nothing.
 */
export function awaitTurn({ reads, writes }: Admissions): Step {
  return (exchange) => {
    const { accountId } = exchange.principal;
    const { method } = exchange;
    const admission = method === "GET" || method === "HEAD" ? reads : writes;
    const turn = admission.enter(accountId, exchange.hasBody);
    return turn === undefined ? exchange.hold(admission) : turn.then((waitedMs) => exchange.hold(admission, waitedMs));
  };
}

/**
 * Hashes few passwords at a time: a hash takes 7 MiB and 20 to 50 ms of a core. Without a limit, 1,500 requests kept
 * the thread pool and both cores busy for 38 s, and all other requests waited. Only writes that run wait for it, so the
 * line needs no bound of its own.
 */
export function hashInTurn(hash = hashPassword, size = maxHashing): PasswordHasher {
  // A hash is short, so that no place is kept free for other accounts.
  const hashes = new Admission({ size, share: 2, maxWaiting: Number.POSITIVE_INFINITY });
  return {
    async hash(password, call) {
      const { accountId } = call.principal;
      const turn = hashes.enter(accountId);
      const waitedMs = turn === undefined ? 0 : call.waitedMs + (await turn);
      try {
        if (waitedMs > maxHashWaitMs)
          throw new AppError("unavailable", tooManyPasswords, { facts: { retryAfterS }, reason: "overload" });
        if (call.isDisconnected()) throw clientDisconnected;
        const hashed = await hash(password);
        // A flood would otherwise create websites for clients that have left.
        if (call.isDisconnected()) throw clientDisconnected;
        return hashed;
      } finally {
        hashes.leave(accountId);
      }
    },
  };
}
