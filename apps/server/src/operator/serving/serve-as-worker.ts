import type { Config } from "../../config.ts";
import { LeasedRateLimits } from "../../limits/leased-rate-limits.ts";
import type { PrimaryLink } from "../../workers/cluster.ts";
import type { CommandContext } from "../io/command-context.ts";
import { openProcessMetrics } from "./open-metrics.ts";
import { reportMetrics } from "./report-metrics.ts";
import { type Serving, withServer } from "./with-server.ts";

/** How often unused rate limit tokens go back to the primary. */
const leaseIntervalMs = 1_000;

/** Serves as one of many processes until this one is stopped, another one has replaced it, or the primary is gone. */
export async function serveAsWorker(context: CommandContext, config: Config, primary: PrimaryLink): Promise<void> {
  // A terminal also sends these to the primary, which decides what they mean.
  context.onSignal("SIGINT", () => undefined);
  context.onSignal("SIGHUP", () => undefined);
  const stopped = Promise.withResolvers<void>();
  // This signal can come twice, from a service manager and from the primary. The second must not cut the requests in
  // progress.
  context.onSignal("SIGTERM", stopped.resolve);
  void primary.orphaned.then(stopped.resolve);
  const rateLimits = new LeasedRateLimits({ send: primary.leases.send, now: () => performance.now() });
  primary.leases.onAnswer((answer) => rateLimits.receive(answer));
  const metrics = await openProcessMetrics(context, config);
  const report = metrics && reportMetrics(metrics, primary.metrics);
  const returning = setInterval(() => rateLimits.returnUnused(), leaseIntervalMs).unref();
  try {
    const work = async ({ server }: Serving) => {
      await Promise.race([stopped.promise, primary.retired.then(() => server.retire())]);
    };
    await withServer(context, { config, rateLimits, connections: primary.connections, metrics }, work);
  } finally {
    clearInterval(returning);
    rateLimits.close();
    await report?.end();
    primary.leave();
  }
}
