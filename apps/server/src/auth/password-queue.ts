import { AppError, type PasswordHasher, type PasswordRequest } from "@siteward/service";
import { FairQueue, type FairQueueLimits } from "../queues/fair-queue.ts";
import type { HashPassword } from "./hash-password.ts";

/** How much password hashing a process does. */
export interface PasswordQueueLimits extends FairQueueLimits {
  /** How many hashes run at the same time. */
  readonly maxRunning: number;
  readonly maxWaitMs: number;
}

interface Waiter {
  readonly start: () => void;
  readonly refuse: (error: AppError) => void;
}

/** After this time, a full queue has been served or refused. */
const retryAfter = { retryAfterS: 2 };

/**
 * Limits how many passwords are hashed. A hash takes 7 MiB and 20 to 50 ms of a core: without a limit, 1,500 requests
 * kept the thread pool and both cores busy for 38 s, and all other requests waited.
 */
export class PasswordQueue implements PasswordHasher {
  readonly #hasher: HashPassword;
  readonly #limits: PasswordQueueLimits;
  readonly #queue: FairQueue<Waiter>;
  #running = 0;

  constructor(hasher: HashPassword, limits: PasswordQueueLimits) {
    this.#hasher = hasher;
    this.#limits = limits;
    this.#queue = new FairQueue(limits);
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * Hashes a password as soon as a hash may run, unless the client disconnects first.
   *
   * @throws AppError `unavailable` if too many requests wait, the wait is too long, or the client disconnects before the
   *   end
   */
  async hash(password: string, request: PasswordRequest): Promise<string> {
    refuseIfDisconnected(request.disconnected);
    await this.#turn(request);
    try {
      refuseIfDisconnected(request.disconnected);
      const hash = await this.#hasher(password);
      refuseIfDisconnected(request.disconnected);
      return hash;
    } finally {
      this.#release();
    }
  }

  /** Resolves once a hash may run, which is at once if fewer than the limit are running. */
  async #turn({ keyId, disconnected }: PasswordRequest): Promise<void> {
    if (this.#running < this.#limits.maxRunning) {
      this.#running += 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { start: resolve, refuse: reject };
    const describe = this.#queue.hasAll(keyId) ? tooManyPasswordsOfKey : tooManyPasswords;
    this.#queue.enter(keyId, waiter)?.refuse(describe());
    const leave = (error: AppError) => this.#queue.leave(keyId, waiter) && reject(error);
    const onDisconnect = () => leave(clientDisconnected());
    disconnected.addEventListener("abort", onDisconnect);
    const timer = setTimeout(() => leave(tooManyPasswords()), this.#limits.maxWaitMs);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      disconnected.removeEventListener("abort", onDisconnect);
    }
  }

  /** Lets the next request in the queue hash in place of one that has ended. */
  #release(): void {
    const next = this.#queue.next();
    if (next === undefined) this.#running -= 1;
    else next.start();
  }
}

function refuseIfDisconnected(disconnected: AbortSignal): void {
  if (disconnected.aborted) throw clientDisconnected();
}

function tooManyPasswords(): AppError {
  return new AppError(
    "unavailable",
    "The server has too many passwords to hash. Nothing was changed. Retry the request in a moment.",
    { facts: retryAfter, reason: "password_queue" },
  );
}

function tooManyPasswordsOfKey(): AppError {
  return new AppError(
    "unavailable",
    "This API key already has as many passwords to hash as the server gives one key. Nothing was changed. " +
      "Send fewer passwords at a time, and retry this request in a moment.",
    { facts: retryAfter, reason: "password_queue" },
  );
}

/** The client is gone, so no one receives this response. */
function clientDisconnected(): AppError {
  return new AppError("unavailable", "The client closed the connection. Nothing was changed.", {
    reason: "disconnected",
  });
}
