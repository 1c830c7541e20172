import type { PasswordQueueLimits } from "./password-queue.ts";

/** What is available for hashing. */
export interface HashingResources {
  /** The threads of libuv's pool in this process. */
  readonly threads: number;
  /** The cores of the machine. */
  readonly cores: number;
  /** The processes that share the machine's cores. */
  readonly workers: number;
}

/** At 60 ms for a hash, which is a slow core, the last of 24 is answered after 1.5 s. */
const maxWaitingPerRunning = 24;
const maxWaitMs = 1_500;

/**
 * Decides how many passwords a process hashes at the same time. It is at least one, and at most half of the thread pool,
 * which also looks up host names and reads files. All processes together leave one core to the event loops.
 */
export function decidePasswordQueueLimits({ threads, cores, workers }: HashingResources): PasswordQueueLimits {
  const maxRunning = Math.max(1, Math.floor(Math.min(threads / 2, (cores - 1) / workers)));
  const maxWaiting = maxRunning * maxWaitingPerRunning;
  return { maxRunning, maxWaiting, maxWaitingPerKey: maxWaiting / 2, maxWaitMs };
}
