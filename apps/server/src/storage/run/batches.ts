import { databaseBusy, tooManyWait } from "@siteward/service";
import { FairQueue, type FairQueueLimits } from "../../queues/fair-queue.ts";
import type { WriteGroups } from "../interface/storage-load.ts";

/** At 2,000 changes a second, which a disk with a sync of 5 ms allows, the last one waits for a second. */
const queueLimits: FairQueueLimits = { maxWaiting: 2_000, maxWaitingPerKey: 1_500 };
/** How long a change may wait before it is sent. Once it was sent, it is never refused by time: it may be stored. */
const maxWaitMs = 5_000;

interface Waiting<Call, Result> {
  readonly call: Call;
  readonly result: PromiseWithResolvers<Result>;
  /** Refuses the change if it waits for too long. */
  timer?: NodeJS.Timeout;
}

interface BatchesOptions<Call, Result> {
  /** How many changes are sent at a time. */
  readonly maxSize: number;
  /** Makes the changes of a batch together. Returns their outcomes, in their order. It may reject for all of them. */
  readonly send: (batch: readonly Call[]) => Promise<readonly PromiseSettledResult<Result>[]>;
}

/**
 * Sends changes in batches, one batch at a time. Changes that wait while a batch is under way are the next one. When it is cut,
 * accounts take turns, so that one with many changes does not keep the others waiting.
 */
export class Batches<Call, Result> {
  readonly #options: BatchesOptions<Call, Result>;
  readonly #waiting = new FairQueue<Waiting<Call, Result>>(queueLimits);
  /** How many changes were sent and are not answered. */
  #underWay = 0;
  /** Resolves when no change waits or is under way. Undefined then. */
  #busy: PromiseWithResolvers<void> | undefined;
  #sent: WriteGroups = { count: 0, writes: 0 };
  #end: unknown;

  constructor(options: BatchesOptions<Call, Result>) {
    this.#options = options;
  }

  /** How many changes are not answered. */
  get size(): number {
    return this.#waiting.size + this.#underWay;
  }

  /** How many batches were answered, and how many changes they had. */
  get sent(): WriteGroups {
    return this.#sent;
  }

  /**
   * @param accountId in whose turn the change is made
   * @throws AppError `unavailable` if too many wait, or this one waited for too long
   */
  run(accountId: number, call: Call): Promise<Result> {
    if (this.#end !== undefined) return Promise.reject(databaseBusy(this.#end));
    const waiting: Waiting<Call, Result> = { call, result: Promise.withResolvers<Result>() };
    if (this.#busy !== undefined)
      waiting.timer = setTimeout(() => this.#waiting.leave(accountId, waiting) && refuse(waiting), maxWaitMs);
    const displaced = this.#waiting.enter(accountId, waiting);
    if (displaced !== undefined) refuse(displaced);
    if (this.#busy === undefined) {
      this.#busy = Promise.withResolvers();
      this.#cutSoon();
    }
    return waiting.result.promise;
  }

  /** Refuses further changes for the reason, and waits for those that were begun. */
  async end(reason: unknown): Promise<void> {
    this.#end ??= reason;
    await this.#busy?.promise;
  }

  /** In the next turn of the event loop, so that the batch has all changes of this one. */
  #cutSoon(): void {
    setImmediate(() => void this.#sendNext());
  }

  async #sendNext(): Promise<void> {
    await this.#settle(this.#cut());
    // In the turn after the next one, so that the batch has the next changes of the clients that were answered now.
    if (this.#waiting.size > 0) setImmediate(() => this.#cutSoon());
    else {
      this.#busy?.resolve();
      this.#busy = undefined;
    }
  }

  #cut(): Waiting<Call, Result>[] {
    const batch: Waiting<Call, Result>[] = [];
    while (batch.length < this.#options.maxSize) {
      const next = this.#waiting.next();
      if (next === undefined) break;
      clearTimeout(next.timer);
      batch.push(next);
    }
    return batch;
  }

  async #settle(batch: readonly Waiting<Call, Result>[]): Promise<void> {
    if (batch.length === 0) return;
    this.#underWay = batch.length;
    const outcomes = await this.#options
      .send(batch.map(({ call }) => call))
      .catch((reason: unknown) => batch.map(() => ({ status: "rejected", reason }) as const));
    this.#underWay = 0;
    this.#sent = { count: this.#sent.count + 1, writes: this.#sent.writes + batch.length };
    for (const [index, { result }] of batch.entries()) {
      const outcome = outcomes[index];
      if (outcome?.status === "fulfilled") result.resolve(outcome.value);
      else result.reject(outcome?.reason);
    }
  }
}

function refuse<Call, Result>({ timer, result }: Waiting<Call, Result>): void {
  clearTimeout(timer);
  result.reject(tooManyWait());
}
