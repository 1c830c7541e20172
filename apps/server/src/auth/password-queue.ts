import { AppError } from "../errors/app-error.ts";
import { FairQueue, type FairQueueLimits } from "./fair-queue.ts";
import type { PasswordHasher } from "./hash-password.ts";

/** How much password hashing a process does. */
export interface PasswordQueueLimits extends FairQueueLimits {
  /** How many hashes run at the same time. */
  readonly maxRunning: number;
  readonly maxWaitMs: number;
}

/** For whom a password is hashed. */
export interface PasswordRequest {
  /** The API key of the request; the keys take turns. */
  readonly keyId: number;
  /** Aborts if the client has gone. */
  readonly gone: AbortSignal;
}

interface Waiter {
  readonly start: () => void;
  readonly refuse: (error: AppError) => void;
}

/** By then a full queue has been served or refused. */
const retryAfter = { "Retry-After": "2" };

/**
 * The queue in front of password hashing. A hash takes a core for 25 to 60 ms and 19 MiB: without a bound, 1,500 requests
 * kept the thread pool and both cores busy for 38 s, and everybody else waited.
 */
export class PasswordQueue {
  readonly #hasher: PasswordHasher;
  readonly #limits: PasswordQueueLimits;
  readonly #queue: FairQueue<Waiter>;
  #running = 0;

  constructor(hasher: PasswordHasher, limits: PasswordQueueLimits) {
    this.#hasher = hasher;
    this.#limits = limits;
    this.#queue = new FairQueue(limits);
  }

  /**
   * Hashes a password as soon as there is room. Nothing is hashed for a client that has gone.
   *
   * @throws AppError `unavailable` if too many wait, if the wait is too long, or if the client goes before the hash is there
   */
  async hash(password: string, request: PasswordRequest): Promise<string> {
    refuseGone(request.gone);
    await this.#turn(request);
    try {
      refuseGone(request.gone);
      const hash = await this.#hasher(password);
      refuseGone(request.gone);
      return hash;
    } finally {
      this.#release();
    }
  }

  /** Resolves once a hash may run. If fewer than the limit run, nobody waits. */
  async #turn({ keyId, gone }: PasswordRequest): Promise<void> {
    if (this.#running < this.#limits.maxRunning) {
      this.#running += 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { start: resolve, refuse: reject };
    this.#queue.enter(keyId, waiter)?.refuse(tooManyPasswords());
    const leave = (error: AppError) => this.#queue.leave(keyId, waiter) && reject(error);
    const onGone = () => leave(clientHasGone());
    gone.addEventListener("abort", onGone);
    const timer = setTimeout(() => leave(tooManyPasswords()), this.#limits.maxWaitMs);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      gone.removeEventListener("abort", onGone);
    }
  }

  /** Gives the room of a hash that has ended to the next in queue. */
  #release(): void {
    const next = this.#queue.next();
    if (next === undefined) this.#running -= 1;
    else next.start();
  }
}

function refuseGone(gone: AbortSignal): void {
  if (gone.aborted) throw clientHasGone();
}

function tooManyPasswords(): AppError {
  return new AppError(
    "unavailable",
    "Too many passwords are being hashed; nothing was changed. Try again in a moment.",
    {
      headers: retryAfter,
    },
  );
}

/** Nobody reads this answer. */
function clientHasGone(): AppError {
  return new AppError("unavailable", "The client closed the connection; nothing was changed.");
}
