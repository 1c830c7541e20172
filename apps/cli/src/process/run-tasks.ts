/** How many requests of a command with many are sent at the same time. */
export const parallelRequests = 8;

/** How many tasks run at the same time, and what ends the run early. */
interface TaskOptions {
  /** The number of tasks that run at the same time, 1 or higher. */
  readonly parallel: number;
  /** No task starts after this is aborted. */
  readonly signal?: AbortSignal;
}

/**
 * Runs a task for each item, in order, several at the same time. No task starts after `onResult` returns "stop", a task throws or the
 * signal is aborted. Tasks that have started always finish.
 *
 * @param onResult called with each result as it arrives, never twice at the same time
 * @returns the items whose task was not started, in order
 * @throws what the first task threw, after the others have finished. If the rest of the results must be known, return failures
 *   as results.
 */
export async function runTasks<Item, Result>(
  items: readonly Item[],
  { parallel, signal }: TaskOptions,
  run: (item: Item) => Promise<Result>,
  onResult: (item: Item, result: Result) => "stop" | undefined,
): Promise<{ readonly notStarted: readonly Item[] }> {
  const queue = items.values();
  let started = 0;
  let isStopped = false;
  const work = async (): Promise<void> => {
    while (!isStopped && signal?.aborted !== true) {
      const { value: item, done } = queue.next();
      if (done === true) return;
      started += 1;
      try {
        if (onResult(item, await run(item)) === "stop") isStopped = true;
      } catch (error) {
        isStopped = true;
        throw error;
      }
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: Math.min(parallel, items.length) }, work));
  const failed = workers.find((worker) => worker.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return { notStarted: items.slice(started) };
}
