import type { ProcessMetrics } from "../../metrics/process-metrics.ts";
import type { MetricsLink } from "../../workers/cluster.ts";

/**
 * How often a worker reports what it has measured, without being asked. So a worker that is killed takes at most this much with it. A
 * report takes 0.1 ms.
 */
const reportIntervalMs = 5_000;
/** A first process that hangs does not read. The end of the worker does not wait for it. */
const maxEndMs = 1_000;

/** Reports what this worker measures, whenever it is asked, from time to time, and at the end. */
export function reportMetrics(metrics: ProcessMetrics, link: MetricsLink): { end(): Promise<void> } {
  let sending: Promise<void> | undefined;
  // One at a time: what waits for a first process that hangs must not grow.
  const report = () => {
    sending ??= metrics
      .snapshot()
      .then((snapshot) => link.send(snapshot))
      .finally(() => {
        sending = undefined;
      });
    return sending;
  };
  link.onAsk(() => void report());
  const reporting = setInterval(() => void report(), reportIntervalMs).unref();
  return {
    async end() {
      clearInterval(reporting);
      const late = new Promise<void>((resolve) => void setTimeout(resolve, maxEndMs).unref());
      // A report that is on its way is older than the last request.
      await Promise.race([(sending ?? Promise.resolve()).then(report), late]);
    },
  };
}
