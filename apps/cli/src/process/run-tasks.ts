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
 * Runs a task for each item, in order, several at the same time. No task starts after one returns "stop" or throws, or
 * the signal is aborted. Tasks that have started always finish.
 *
 * @throws what the first task threw, after the others have finished
 */
export async function runTasks<Item>(
  items: readonly Item[],
  { parallel, signal }: TaskOptions,
  run: (item: Item) => Promise<unknown>,
): Promise<void> {
  const queue = items.values();
  let isStopped = false;
  const work = async (): Promise<void> => {
    while (!isStopped && signal?.aborted !== true) {
      const { value: item, done } = queue.next();
      if (done === true) return;
      try {
        if ((await run(item)) === "stop") isStopped = true;
      } catch (error) {
        isStopped = true;
        throw error;
      }
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: parallel }, work));
  const failed = workers.find((worker) => worker.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
