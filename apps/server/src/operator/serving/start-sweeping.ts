import { setTimeout } from "node:timers/promises";
import type { ExpiredAccounts, RetentionStore } from "../../storage/interface/retention-store.ts";

interface SweepOptions {
  readonly retention: RetentionStore;
  /** How long entries of the audit trail are kept, in milliseconds. `Infinity` keeps all. */
  readonly auditRetentionMs: number;
  /** Called when the database fails, and not again until a sweep has succeeded. */
  readonly onFailure: (error: unknown) => void;
  readonly pauses?: typeof defaultPauses;
}

/** Between two sweeps, after a failed one, and between two calls of a sweep. */
const defaultPauses = { sweepMs: 3_600_000, retryMs: 300_000, callMs: 50 };
/** A sweep works at most for a tenth of the time, so that it slows down if the database does. */
const restPerWork = 9;

/** Deletes what is kept no longer, in small bites, until the function that it returns is called. */
export function startSweeping({ retention, auditRetentionMs, onFailure, pauses = defaultPauses }: SweepOptions) {
  const stopped = new AbortController();
  const { signal } = stopped;
  /** Does not keep the process alive. Processes that start at the same time rest for different times. */
  const rest = (ms: number) => setTimeout((0.5 + Math.random()) * ms, undefined, { signal, ref: false });
  const workAndRest = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const startMs = performance.now();
    const result = await work();
    await rest(Math.max(restPerWork * (performance.now() - startMs), pauses.callMs));
    return result;
  };
  const sweep = async () => {
    for (let position: number | undefined = 0; position !== undefined; ) {
      const request = { afterAccountId: position, auditRetentionMs };
      const found: ExpiredAccounts = await workAndRest(() => retention.findExpired(request));
      for (const accountId of found.accountIds)
        while (await workAndRest(() => retention.deleteExpired(accountId, auditRetentionMs)));
      position = found.lastAccountId;
    }
  };
  const sweepAgain = async () => {
    await rest(pauses.retryMs / 2);
    for (let hasFailed = false; ; ) {
      try {
        await sweep();
        hasFailed = false;
      } catch (error) {
        if (!hasFailed && !signal.aborted) onFailure(error);
        hasFailed = true;
      }
      await rest(hasFailed ? pauses.retryMs : pauses.sweepMs);
    }
  };
  // It ends only because it is stopped.
  const sweeping = sweepAgain().catch(() => undefined);
  return async () => {
    stopped.abort();
    await sweeping;
  };
}
