import { once } from "node:events";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { InstallationError } from "../installation-error.ts";
import { storageOutcomeUnknown, storageUnavailable, tooManyChangesWait } from "../storage-error.ts";
import type { StorageWriter } from "../storage-writer.ts";
import type { Call, CallResult, ThreadOptions, ThreadReply, ThreadRequest } from "./thread-messages.ts";
import { unpackError } from "./thrown-error.ts";

/** How many changes may wait. At 2,000 a second, which a disk with a sync of 5 ms allows, the last one waits for a second. */
const maxWaiting = 2_000;

export interface WriterThreadOptions extends ThreadOptions {
  /** Called if the thread ends by itself, with the reason. After that, nothing can be stored. */
  readonly onFailure: (reason: unknown) => void;
  /** The file that the thread runs. */
  readonly program?: URL;
}

/** A writer on its own thread. */
export interface WriterThread extends StorageWriter {
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
  program = builtInProgram,
  ...options
}: WriterThreadOptions): Promise<WriterThread> {
  const thread = new Worker(program, {
    workerData: options satisfies ThreadOptions,
  });
  await once(thread, "message").catch((error) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InstallationError("cannot_open", `Cannot write to the database: ${reason}`, error);
  });
  return createWriter(new ThreadCalls(thread, onFailure));
}

/** In the built server, the thread has a file of its own next to this one. In the sources, it is a TypeScript file. */
const builtInProgram = new URL(`./run-writer-thread${extname(import.meta.url)}`, import.meta.url);

function createWriter(calls: ThreadCalls): WriterThread {
  // The casts are safe: the thread runs the operation with this name and returns what it returned.
  const operation = <Name extends keyof StorageWriter>(name: Name) =>
    ((argument: unknown) => calls.call(name, argument)) as StorageWriter[Name];
  return {
    createWebsite: operation("createWebsite"),
    replaceWebsite: operation("replaceWebsite"),
    deleteWebsite: operation("deleteWebsite"),
    recordKeyUse: operation("recordKeyUse"),
    close: () => calls.close(),
  };
}

/** The calls that a thread has not answered. */
class ThreadCalls {
  readonly #thread: Worker;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  #unsent: Call[] = [];
  #lastId = 0;
  #isClosing = false;
  readonly #onFailure: (reason: unknown) => void;
  #failure: unknown;

  constructor(thread: Worker, onFailure: (reason: unknown) => void) {
    this.#thread = thread;
    this.#onFailure = onFailure;
    thread.on("message", (results: Exclude<ThreadReply, "open">) => {
      for (const result of results) this.#settle(result);
    });
    thread.on("error", (error) => this.#fail(error));
    thread.on("exit", () => this.#fail(new Error("The thread that writes to the database has ended.")));
  }

  call(operation: Call["operation"], argument: unknown): Promise<unknown> {
    if (this.#failure !== undefined) return Promise.reject(storageUnavailable(this.#failure));
    if (this.#pending.size >= maxWaiting) return Promise.reject(tooManyChangesWait());
    this.#lastId += 1;
    const id = this.#lastId;
    const pending = Promise.withResolvers<unknown>();
    this.#pending.set(id, pending);
    // One message for all calls of a turn of the event loop takes a fifth of the time of one for each.
    if (this.#unsent.push({ id, operation, argument }) === 1) setImmediate(() => this.#sendCalls());
    return pending.promise;
  }

  async close(): Promise<void> {
    if (this.#isClosing || this.#failure !== undefined) return;
    this.#isClosing = true;
    this.#sendCalls();
    const ended = once(this.#thread, "exit");
    this.#send("close");
    await ended;
  }

  #sendCalls(): void {
    if (this.#unsent.length > 0) this.#send(this.#unsent);
    this.#unsent = [];
  }

  #send(request: ThreadRequest): void {
    this.#thread.postMessage(request);
  }

  #settle(result: CallResult): void {
    const pending = this.#pending.get(result.id);
    this.#pending.delete(result.id);
    if ("error" in result) pending?.reject(unpackError(result.error));
    else pending?.resolve(result.value);
  }

  /** The thread may have stored the changes that it did not answer. */
  #fail(reason: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = reason;
    for (const { reject } of this.#pending.values()) reject(storageOutcomeUnknown(reason));
    this.#pending.clear();
    if (!this.#isClosing) this.#onFailure(reason);
  }
}
