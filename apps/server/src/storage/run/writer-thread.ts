import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { databaseBusy, outcomeUnknown } from "@siteward/service";
import { noAccount } from "../dialects/whose-turn.ts";
import { InstallationError } from "../interface/installation-error.ts";
import type { StorageLoad } from "../interface/storage-load.ts";
import { Batches } from "./batches.ts";
import type { Call, CallOutcome, ThreadOptions, ThreadReply, ThreadRequest } from "./thread-messages.ts";
import { unpackError } from "./thrown-error.ts";

interface WriterThreadOptions extends ThreadOptions {
  /** Called if the thread ends by itself, with the reason. After that, nothing can be stored. */
  readonly onFailure: (reason: unknown) => void;
  /** The file that the thread runs. */
  readonly program: URL;
}

/**
 * At most as many changes are committed together. With more, 500 writers of one account made some more changes, but the only writer of
 * another one, next to them, waited for longer.
 */
const maxBatchSize = 128;

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
  /** Starts the thread now, so that the first change does not wait for it. */
  start(): Promise<void>;
  load(): Pick<StorageLoad, "waitingWrites" | "groups">;
  /** Waits for the changes that were begun, and closes the database of the thread. */
  close(): Promise<void>;
}

/**
 * Returns what writes to the database on a thread of its own. With an embedded engine, whoever writes waits for the disk: on the main
 * thread, every read would wait too. The thread takes 18 MB, so it starts with the first change, or the first check of readiness. If it
 * cannot start, the change is refused, and the next one tries again.
 */
export function createWriterThread(options: WriterThreadOptions): WriterThread {
  let starting: Promise<RunningThread> | undefined;
  const start = () => {
    starting ??= startThread(options).catch((error: unknown) => {
      starting = undefined;
      throw databaseBusy(error);
    });
    return starting;
  };
  const batches = new Batches<Call, unknown>({
    maxSize: maxBatchSize,
    send: async (batch) => (await start()).run(batch),
  });
  return {
    async call(name, argument, accountId = noAccount) {
      // On a busy machine, the start takes seconds, which are no wait for a turn.
      await start();
      return batches.run(accountId, { name, argument });
    },
    start: async () => void (await start()),
    load: () => ({ waitingWrites: batches.size, groups: batches.sent }),
    async close() {
      await batches.end(new Error("The storage is closed."));
      const thread = await starting?.catch(() => undefined);
      await thread?.close();
    },
  };
}

type Outcomes = readonly PromiseSettledResult<unknown>[];

interface RunningThread {
  run(batch: readonly Call[]): Promise<Outcomes>;
  close(): Promise<void>;
}

async function startThread({ onFailure, program, ...options }: WriterThreadOptions): Promise<RunningThread> {
  const thread = new Worker(program, {
    workerData: options satisfies ThreadOptions,
    resourceLimits: { maxYoungGenerationSizeMb },
  });
  await untilOpen(thread);
  let answer: PromiseWithResolvers<Outcomes> | undefined;
  let end: { readonly reason: unknown } | undefined;
  let isClosing = false;
  thread.on("message", (outcomes: Exclude<ThreadReply, "open">) => answer?.resolve(outcomes.map(toOutcome)));
  const fail = (reason: unknown) => {
    if (end !== undefined) return;
    end = { reason };
    // The thread may have stored what it did not answer.
    answer?.reject(outcomeUnknown(reason));
    if (!isClosing) onFailure(reason);
  };
  thread.on("error", fail);
  thread.on("exit", () => fail(new Error("The thread that writes to the database has ended.")));
  const send = (request: ThreadRequest) => thread.postMessage(request);
  return {
    async run(batch) {
      if (end !== undefined) throw databaseBusy(end.reason);
      answer = Promise.withResolvers();
      send(batch);
      return answer.promise;
    },
    async close() {
      if (end !== undefined) return;
      isClosing = true;
      const ended = once(thread, "exit");
      send("close");
      await ended;
    },
  };
}

function toOutcome(outcome: CallOutcome): PromiseSettledResult<unknown> {
  return "error" in outcome
    ? { status: "rejected", reason: unpackError(outcome.error) }
    : { status: "fulfilled", ...outcome };
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
