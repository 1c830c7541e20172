import { readdir, readFile } from "node:fs/promises";
import { setPriority } from "node:os";

/** Each thread of this process has a folder here on Linux, named by its ID. */
const threadsPath = "/proc/self/task";
/** How libuv names the threads of its pool. */
const poolThreadName = "libuv-worker";
/** A thread of this niceness gets a tenth of a core that the event loop also needs, and all of a core that is free. */
const niceness = 10;

/**
 * Lets the event loop run before the threads of libuv's pool. A hash keeps one of them busy for 20 to 50 ms, so on a machine
 * without a free core, every request waited for hashes. Does nothing on systems other than Linux, or if the system refuses.
 */
export async function lowerPoolPriority(): Promise<void> {
  // Reading files starts all threads of the pool.
  const threadIds = await readdir(threadsPath).catch(() => []);
  await Promise.all(threadIds.map(lowerIfInPool));
}

async function lowerIfInPool(threadId: string): Promise<void> {
  try {
    const name = await readFile(`${threadsPath}/${threadId}/comm`, "utf8");
    // Linux accepts the ID of a thread where other systems need that of a process (setpriority(2)).
    if (name.trim() === poolThreadName) setPriority(Number(threadId), niceness);
  } catch {
    // The thread has ended, or the system refuses. The service is the same with equal priorities.
  }
}
