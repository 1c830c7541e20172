import type { WorkerEnd } from "./cluster.ts";

/** What the restarts of a pool have cost so far. */
export interface RestartPace {
  /** How many workers in a row failed to start. */
  readonly failedStarts: number;
  /** How many workers may start at once. Below zero, that many starts already wait. */
  readonly tokens: number;
  readonly updatedMs: number;
}

/** A worker that ended and must be replaced. */
export interface EndedWorker extends WorkerEnd {
  readonly hasListened: boolean;
}

interface RestartDecision {
  readonly pace: RestartPace;
  readonly delayMs: number;
}

/** The time, and how many workers the pool has. */
interface PoolMoment {
  readonly size: number;
  readonly nowMs: number;
}

const firstBackOffMs = 100;
const maxBackOffMs = 5000;
/** A start takes about 0.3 s of a core. If workers end at once, a pool spends this long on each, on average. */
const tokenMs = 1000;

/** Returns the pace of a pool that has replaced no worker yet. */
export function startPace({ size, nowMs }: PoolMoment): RestartPace {
  return { failedStarts: 0, tokens: size, updatedMs: nowMs };
}

/** Ends the back-off, because a worker has started. */
export function endBackOff(pace: RestartPace): RestartPace {
  return { ...pace, failedStarts: 0 };
}

/**
 * Decides when a worker that ended is replaced. If it had started, or if another process ended it, it is replaced at
 * once, whatever its age. Each place has one such start per second, and can save up one. So the pool is full within about
 * a second after many workers were killed, and workers that end as soon as they start do not take the machine from the
 * others.
 *
 * A worker that fails to start will most likely fail again. It is replaced after 0.1, 0.2, 0.4 … and at most 5 seconds,
 * until a worker starts.
 */
export function decideRestartDelay(
  pace: RestartPace,
  ended: EndedWorker,
  { size, nowMs }: PoolMoment,
): RestartDecision {
  const earned = ((nowMs - pace.updatedMs) * size) / tokenMs;
  const tokens = Math.min(size, pace.tokens + earned) - 1;
  const failedStarts = pace.failedStarts + (isFailedStart(ended) ? 1 : 0);
  const queueMs = tokens < 0 ? (-tokens * tokenMs) / size : 0;
  const backOffMs = isFailedStart(ended) ? Math.min(maxBackOffMs, firstBackOffMs * 2 ** (failedStarts - 1)) : 0;
  return { pace: { failedStarts, tokens, updatedMs: nowMs }, delayMs: Math.ceil(Math.max(queueMs, backOffMs)) };
}

/** Nothing in a worker sends it one of these signals, and it exits with 0 only if it is asked to. */
function isFailedStart({ hasListened, code, signal }: EndedWorker): boolean {
  return !hasListened && code !== 0 && signal !== "SIGKILL" && signal !== "SIGTERM";
}
