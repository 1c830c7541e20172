import type { Config } from "../../config.ts";
import { LeasedRateLimits } from "../../limits/leased-rate-limits.ts";
import { askForTokens, linkToPrimary } from "../../workers/worker.ts";
import type { CommandContext } from "../command-context.ts";
import { openProcessMetrics } from "./open-metrics.ts";
import { type Serving, withServer } from "./with-server.ts";

/** Serves as one of many processes until this one is stopped, another one has replaced it, or the first process is gone. */
export async function serveAsWorker(context: CommandContext, config: Config): Promise<void> {
  // A terminal also sends these to the first process, which decides what they mean.
  context.onSignal("SIGINT", () => undefined);
  context.onSignal("SIGHUP", () => undefined);
  const stopped = Promise.withResolvers<void>();
  // It can come twice, from a service manager and from the first process. The second must not cut requests in progress.
  context.onSignal("SIGTERM", stopped.resolve);
  const { workers } = config;
  const rateLimits = new LeasedRateLimits({ send: askForTokens, workers, now: () => performance.now() });
  const metrics = await openProcessMetrics(context, config);
  const primary = linkToPrimary((answer) => rateLimits.receive(answer));
  void primary.orphaned.then(stopped.resolve);
  const work = async ({ server }: Serving) => {
    primary.startBeating();
    await Promise.race([stopped.promise, primary.retired.then(() => server.retire())]);
  };
  await withServer({ config, rateLimits, isWorker: true, metrics }, work);
}
