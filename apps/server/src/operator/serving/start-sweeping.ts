import { setTimeout } from "node:timers/promises";
import type { ExpiredAccounts, RetentionStore } from "../../storage/interface/retention-store.ts";

interface SweepOptions {
  readonly retention: RetentionStore;
  /** How long entries of the audit trail are kept, in milliseconds. `Infinity` keeps all. */
  readonly auditRetentionMs: number;
  /** Called when the database fails, and not again until a sweep has succeeded. */
  readonly onFailure: (error: unknown) => void;
  /** Returns a number from 0 to 1. Processes that start at the same time sweep at different times. */
  readonly random: () => number;
  readonly pauses?: SweepPauses;
}

interface SweepPauses {
  /** Between two sweeps. */
  readonly sweepMs: number;
  /** After a failed sweep. Also the longest time before the first one. */
  readonly retryMs: number;
  /** Between two calls of a sweep. */
  readonly callMs: number;
}

const defaultPauses: SweepPauses = { sweepMs: 3_600_000, retryMs: 300_000, callMs: 50 };
/** A sweep works at most for a tenth of the time, so that it slows down if the database does. */
const restPerWork = 9;

/** Deletes what is kept no longer, in small bites, until it is stopped. */
export function startSweeping({ pauses = defaultPauses, ...options }: SweepOptions): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const sweeping = sweepAgain({ ...options, pauses }, stopped.signal).catch((error: unknown) => {
    if (!stopped.signal.aborted) throw error;
  });
  return {
    async stop() {
      stopped.abort();
      await sweeping;
    },
  };
}

async function sweepAgain(options: Required<SweepOptions>, signal: AbortSignal): Promise<never> {
  const { pauses, random, onFailure } = options;
  let hasFailed = false;
  await rest(random() * pauses.retryMs, signal);
  for (;;) {
    const failure = await sweep(options, signal).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    signal.throwIfAborted();
    if (failure !== undefined && !hasFailed) onFailure(failure.error);
    hasFailed = failure !== undefined;
    await rest((0.5 + random()) * (hasFailed ? pauses.retryMs : pauses.sweepMs), signal);
  }
}

/** Sweeps all accounts in order of id. */
async function sweep(options: Required<SweepOptions>, signal: AbortSignal): Promise<void> {
  const { retention, auditRetentionMs } = options;
  let position: number | undefined = 0;
  while (position !== undefined) {
    const request = { afterAccountId: position, auditRetentionMs };
    const found: ExpiredAccounts = await workAndRest(() => retention.findExpired(request), options, signal);
    for (const accountId of found.accountIds) {
      const deleteSome = () => retention.deleteExpired(accountId, auditRetentionMs);
      while (await workAndRest(deleteSome, options, signal));
    }
    position = found.lastAccountId;
  }
}

async function workAndRest<Result>(
  work: () => Promise<Result>,
  { pauses, random }: Required<SweepOptions>,
  signal: AbortSignal,
): Promise<Result> {
  const startMs = performance.now();
  const result = await work();
  const workMs = performance.now() - startMs;
  await rest((0.5 + random()) * Math.max(pauses.callMs, restPerWork * workMs), signal);
  return result;
}

/** Waits without keeping the process alive. */
async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal, ref: false });
}
