import type { PasswordQueueLimits } from "./password-queue.ts";

/** What is available for hashing. */
interface HashingResources {
  /** The threads of libuv's pool in this process. */
  readonly threads: number;
  /** The cores of the machine. */
  readonly cores: number;
  /** The processes that share the machine's cores. */
  readonly workers: number;
  /** How many requests may be in progress in this process. */
  readonly maxRequests: number;
}

/** At 60 ms for a hash, which is a slow core, the last of 24 is answered after 1.5 s. */
const maxWaitingPerRunning = 24;
const maxWaitMs = 1_500;

/**
 * Decides how many passwords a process hashes at the same time. It is at least one, and at most half of the thread pool,
 * which also looks up host names and reads files. All processes together leave one core to the event loops. At most
 * half of the requests in progress can be hashes and those that wait for one, so hashing leaves room for the others.
 */
export function decidePasswordQueueLimits(resources: HashingResources): PasswordQueueLimits {
  const { threads, cores, workers, maxRequests } = resources;
  const maxHashing = maxRequests / 2;
  const maxRunning = Math.max(1, Math.floor(Math.min(threads / 2, (cores - 1) / workers, maxHashing / 2)));
  const maxWaiting = Math.min(maxRunning * maxWaitingPerRunning, Math.floor(maxHashing - maxRunning));
  return { maxRunning, maxWaiting, maxWaitingPerKey: Math.floor(maxWaiting / 2), maxWaitMs };
}
