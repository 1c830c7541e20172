import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { databaseBusy, outcomeUnknown, tooManyWait } from "@siteward/service";
import { FairQueue } from "../../queues/fair-queue.ts";
import type { WriteGroups } from "../interface/storage-load.ts";
import { RunningCalls } from "./running-calls.ts";
import type { Call, CallResult, ThreadReply, ThreadRequest } from "./thread-messages.ts";
import { unpackError } from "./thrown-error.ts";

/** At 2,000 changes a second, which a disk with a sync of 5 ms allows, the last one waits for a second. */
const queueLimits = { maxWaiting: 2_000, maxWaitingPerKey: 1_500 };
/** How long a call may wait before the thread has it. The thread refuses it after the same time. */
const maxWaitMs = 5_000;

interface PendingCall extends Call {
  readonly result: PromiseWithResolvers<unknown>;
  /** Refuses the call if it waits for too long. */
  timer?: NodeJS.Timeout;
}

/** Calls changes on a thread. Accounts take turns, so that one with many changes does not keep the others waiting. */
export class ThreadCalls {
  readonly #thread: Worker;
  readonly #onFailure: (reason: unknown) => void;
  readonly #waiting = new FairQueue<PendingCall>(queueLimits);
  readonly #running = new RunningCalls<PendingCall>();
  #unsent: Call[] = [];
  #lastId = 0;
  #groupCount = 0;
  #writeCount = 0;
  #isClosing = false;
  #failure: unknown;

  /** @param onFailure called if the thread ends by itself */
  constructor(thread: Worker, onFailure: (reason: unknown) => void) {
    this.#thread = thread;
    this.#onFailure = onFailure;
    thread.on("message", (results: Exclude<ThreadReply, "open">) => {
      // All calls of a group end together.
      this.#groupCount += 1;
      this.#writeCount += results.length;
      for (const result of results) this.#settle(result);
    });
    thread.on("error", (error) => this.#fail(error));
    thread.on("exit", () => this.#fail(new Error("The thread that writes to the database has ended.")));
  }

  /** How many calls are not answered. */
  get size(): number {
    return this.#waiting.size + this.#running.size;
  }

  get groups(): WriteGroups {
    return { count: this.#groupCount, writes: this.#writeCount };
  }

  /** @throws AppError `unavailable` if too many calls wait */
  call(name: string, argument: unknown, accountId: number): Promise<unknown> {
    this.#lastId += 1;
    const call: PendingCall = { id: this.#lastId, name, argument, accountId, result: Promise.withResolvers<unknown>() };
    const end = this.#failure ?? (this.#isClosing ? new Error("The storage is closed.") : undefined);
    if (end !== undefined) call.result.reject(databaseBusy(end));
    else if (this.#running.hasPlace(accountId)) this.#start(call);
    else this.#wait(call);
    return call.result.promise;
  }

  /** Waits for the calls that were made before, and for the thread to end. */
  async close(): Promise<void> {
    if (this.#isClosing || this.#failure !== undefined) return;
    this.#isClosing = true;
    const ended = once(this.#thread, "exit");
    if (this.#running.size === 0) this.#send("close");
    await ended;
  }

  #wait(call: PendingCall): void {
    const { accountId } = call;
    call.timer = setTimeout(() => this.#waiting.leave(accountId, call) && refuse(call), maxWaitMs);
    const displaced = this.#waiting.enter(accountId, call);
    if (displaced !== undefined) refuse(displaced);
  }

  #start(call: PendingCall): void {
    clearTimeout(call.timer);
    const { id, name, argument, accountId } = call;
    this.#running.add(call);
    // One message for all calls of a turn of the event loop takes a fifth of the time of one for each.
    if (this.#unsent.push({ id, name, argument, accountId }) === 1) setImmediate(() => this.#sendCalls());
  }

  #sendCalls(): void {
    this.#send(this.#unsent);
    this.#unsent = [];
  }

  #send(request: ThreadRequest): void {
    this.#thread.postMessage(request);
  }

  #settle(result: CallResult): void {
    const call = this.#running.remove(result.id);
    if ("error" in result) call?.result.reject(unpackError(result.error));
    else call?.result.resolve(result.value);
    const next = this.#running.hasSharedPlace ? this.#waiting.next() : undefined;
    if (next !== undefined) this.#start(next);
    else if (this.#isClosing && this.#running.size === 0) this.#send("close");
  }

  /** The thread may have stored the changes that it did not answer, but not those that were not sent. */
  #fail(reason: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = reason;
    for (const { result } of this.#running.clear()) result.reject(outcomeUnknown(reason));
    for (let call = this.#waiting.next(); call !== undefined; call = this.#waiting.next()) {
      clearTimeout(call.timer);
      call.result.reject(databaseBusy(reason));
    }
    if (!this.#isClosing) this.#onFailure(reason);
  }
}

function refuse({ timer, result }: PendingCall): void {
  clearTimeout(timer);
  result.reject(tooManyWait());
}
