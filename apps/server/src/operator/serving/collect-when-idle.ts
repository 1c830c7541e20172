import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const defaultCheckIntervalMs = 500;
/** A process that works less than this share of the time is idle. One request a second is a thousandth. */
const maxIdleUtilization = 0.02;
/** So many checks in a row must find it idle. */
const idleChecks = 4;
/** The heap of a process that has just started has 30 MB. */
const minHeapBytes = 40e6;
/** The shortest time between two collections. One takes 20 to 40 ms, in which no request is answered. */
const minPauseMs = 60_000;

/**
 * Collects garbage once when the process has become idle, until it is disposed of. V8 collects when it needs room, so a process
 * that does nothing keeps what its last load left, for hours. After a collection, V8 gives free pages back within ten seconds.
 *
 * @param checkIntervalMs how often to look whether the process is idle
 */
export function collectWhenIdle(checkIntervalMs = defaultCheckIntervalMs): Disposable {
  let idleCount = 0;
  let before = performance.eventLoopUtilization();
  let collectedMs = Number.NEGATIVE_INFINITY;
  /** Whether nothing was done since the last collection. */
  let isCollected = false;
  const check = () => {
    const now = performance.eventLoopUtilization();
    const isIdle = performance.eventLoopUtilization(now, before).utilization <= maxIdleUtilization;
    before = now;
    idleCount = isIdle ? idleCount + 1 : 0;
    if (!isIdle) isCollected = false;
    if (isCollected || idleCount < idleChecks || performance.now() - collectedMs < minPauseMs) return;
    if (getHeapStatistics().total_heap_size < minHeapBytes) return;
    collect();
    collectedMs = performance.now();
    isCollected = true;
  };
  const timer = setInterval(check, checkIntervalMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Node has no call for it. The function exists only in contexts that are created while the flag is set. */
function collect(): void {
  setFlagsFromString("--expose-gc");
  const collectGarbage: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  if (typeof collectGarbage === "function") collectGarbage();
}
