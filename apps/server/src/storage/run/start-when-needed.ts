import { AppError, databaseBusy } from "@siteward/service";
import type { WriterThread } from "./start-writer-thread.ts";

/** A writer whose thread starts with the first change. */
interface LazyWriterThread extends WriterThread {
  /** Whether the thread was started. */
  readonly isStarted: boolean;
  /** Starts the thread now. */
  start(): Promise<void>;
}

/**
 * Returns a writer that starts its thread when it is needed. A thread takes 18 MB, which a process that only reads does not
 * pay. If the thread cannot start, the change is refused, and the next one tries again.
 */
export function startWhenNeeded(startThread: () => Promise<WriterThread>): LazyWriterThread {
  let starting: Promise<WriterThread> | undefined;
  let running: WriterThread | undefined;
  const thread = (): Promise<WriterThread> => {
    starting ??= startThread().then(
      (started) => {
        running = started;
        return started;
      },
      (error) => {
        starting = undefined;
        throw error instanceof AppError ? error : databaseBusy(error);
      },
    );
    return starting;
  };
  return {
    get isStarted() {
      return starting !== undefined;
    },
    call: async (name, argument, accountId) => (await thread()).call(name, argument, accountId),
    load: () => running?.load() ?? { waitingWrites: 0, groups: { count: 0, writes: 0 } },
    async start() {
      await thread();
    },
    async close() {
      const started = await starting?.catch(() => undefined);
      await started?.close();
    },
  };
}
