import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { noAccount } from "../dialects/whose-turn.ts";
import { InstallationError } from "../interface/installation-error.ts";
import type { StorageLoad } from "../interface/storage-load.ts";
import { ThreadCalls } from "./thread-calls.ts";
import type { ThreadOptions } from "./thread-messages.ts";

interface WriterThreadOptions extends ThreadOptions {
  /** Called if the thread ends by itself, with the reason. After that, nothing can be stored. */
  readonly onFailure: (reason: unknown) => void;
  /** The file that the thread runs. */
  readonly program: URL;
}

/** Changes leave little behind that survives. Without this, the thread can keep 128 MB for it, as the main thread could. */
const maxYoungGenerationSizeMb = 12;

/** A thread that makes changes. */
export interface WriterThread {
  /**
   * Makes the change with this name.
   *
   * @param accountId the account in whose turn the change is made. A change without one takes turns with the accounts.
   */
  call(name: string, argument: unknown, accountId?: number): Promise<unknown>;
  load(): Pick<StorageLoad, "waitingWrites" | "groups">;
  /** Waits for the changes that were begun, and closes the database of the thread. */
  close(): Promise<void>;
}

/**
 * Starts a thread that writes to the database. With an embedded engine, whoever writes waits for the disk: on the main
 * thread, every read would wait too.
 *
 * @throws InstallationError `cannot_open` that says why the database cannot be written
 */
export async function startWriterThread({
  onFailure,
  program,
  ...options
}: WriterThreadOptions): Promise<WriterThread> {
  const thread = new Worker(program, {
    workerData: options satisfies ThreadOptions,
    resourceLimits: { maxYoungGenerationSizeMb },
  });
  await untilOpen(thread);
  const calls = new ThreadCalls(thread, onFailure);
  return {
    call: (name, argument, accountId = noAccount) => calls.call(name, argument, accountId),
    load: () => ({ waitingWrites: calls.size, groups: calls.groups }),
    close: () => calls.close(),
  };
}

async function untilOpen(thread: Worker): Promise<void> {
  const ended = new AbortController();
  thread.once("exit", () => ended.abort(new Error("the thread that writes has ended")));
  await once(thread, "message", { signal: ended.signal }).catch((error) => {
    const cause = ended.signal.aborted ? ended.signal.reason : error;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new InstallationError("cannot_open", `Cannot write to the database: ${reason}`, cause);
  });
}
