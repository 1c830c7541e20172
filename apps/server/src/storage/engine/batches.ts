import { setImmediate } from "node:timers/promises";
import { databaseBusy, tooManyWait } from "@siteward/service";

/** How long a change may wait before it is sent. Once it was sent, it is never refused by time: it may be stored. */
const maxWaitMs = 5_000;

interface BatchesOptions<Call, Result> {
  readonly maxSize: number;
  /** Makes the changes of a batch together. It may reject for all of them. */
  readonly send: (batch: readonly Call[]) => Promise<Outcomes<Result>>;
}

/** What came of the changes of a batch, in their order. */
export type Outcomes<Result> = readonly PromiseSettledResult<Result>[];

interface Waiting<Call, Result> {
  readonly call: Call;
  readonly result: PromiseWithResolvers<Result>;
  readonly timer: NodeJS.Timeout;
}

/** Changes that wait for each other, from the first one until none is left. */
interface Line<Call, Result> {
  waiting: Waiting<Call, Result>[];
  /** How many changes were sent and are not answered. */
  underWay: number;
  readonly ended: PromiseWithResolvers<void>;
}

/**
 * Sends changes in batches, one batch of a line at a time. Changes that wait while a batch is under way are the next
 * one. How many can wait is bounded by the requests that the server admits (`door/admission.ts`).
 */
export class Batches<Call, Result> {
  readonly #options: BatchesOptions<Call, Result>;
  readonly #lines = new Map<number, Line<Call, Result>>();
  #end: unknown;

  constructor(options: BatchesOptions<Call, Result>) {
    this.#options = options;
  }

  get size(): number {
    return [...this.#lines.values()].reduce((sum, { waiting, underWay }) => sum + waiting.length + underWay, 0);
  }

  /** @throws AppError `unavailable` if the change waited for too long */
  run(key: number, call: Call): Promise<Result> {
    if (this.#end !== undefined) return Promise.reject(databaseBusy(this.#end));
    const line = this.#lines.get(key) ?? this.#open(key);
    const result = Promise.withResolvers<Result>();
    const refuse = () => {
      line.waiting = line.waiting.filter((waiting) => waiting.result !== result);
      result.reject(tooManyWait());
    };
    line.waiting.push({ call, result, timer: setTimeout(refuse, maxWaitMs) });
    return result.promise;
  }

  /** Refuses further changes for the reason, and waits for those that were begun. */
  async end(reason: unknown): Promise<void> {
    this.#end ??= reason;
    await Promise.all(Array.from(this.#lines.values(), ({ ended }) => ended.promise));
  }

  #open(key: number): Line<Call, Result> {
    const line: Line<Call, Result> = { waiting: [], underWay: 0, ended: Promise.withResolvers() };
    this.#lines.set(key, line);
    void this.#sendAll(key, line);
    return line;
  }

  async #sendAll(key: number, line: Line<Call, Result>): Promise<void> {
    // The batch has all changes of this turn of the event loop.
    await setImmediate();
    for (;;) {
      const batch = line.waiting.splice(0, this.#options.maxSize);
      // All that waited may have been refused meanwhile.
      if (batch.length === 0) break;
      line.underWay = batch.length;
      await this.#settle(batch);
      line.underWay = 0;
      if (line.waiting.length === 0) break;
      // In the turn after the next one, so that the batch has the next changes of the clients that were answered now.
      await setImmediate();
      await setImmediate();
    }
    this.#lines.delete(key);
    line.ended.resolve();
  }

  async #settle(batch: readonly Waiting<Call, Result>[]): Promise<void> {
    for (const { timer } of batch) clearTimeout(timer);
    const outcomes = await this.#options
      .send(batch.map(({ call }) => call))
      .catch((reason: unknown) => batch.map(() => ({ status: "rejected", reason }) as const));
    for (const [index, { result }] of batch.entries()) {
      const outcome = outcomes[index];
      if (outcome?.status === "fulfilled") result.resolve(outcome.value);
      else result.reject(outcome?.reason);
    }
  }
}
