import { RateLimiter } from "@siteward/service";
import type { Config } from "../../config.ts";
import type { CommandContext } from "../io/command-context.ts";
import { untilSignal } from "../io/until-signal.ts";
import { type AnnounceOptions, announce } from "./announce.ts";
import { openProcessMetrics, serveMetrics } from "./open-metrics.ts";
import { tellServiceManager } from "./service-state.ts";
import { type Serving, withServer } from "./with-server.ts";

/** Serves in this one process until it is stopped. No other process can continue, so a hang-up also stops it. */
export async function serveInOneProcess(
  context: CommandContext,
  options: AnnounceOptions,
  config: Config,
): Promise<void> {
  using state = tellServiceManager(context);
  const metrics = await openProcessMetrics(context, config);
  const work = async ({ server, storage, logger }: Serving) => {
    const scrapes = await serveMetrics(metrics, config, logger);
    // Listens for signals before anybody can know of the server.
    const stopped = untilSignal(context, ["SIGTERM", "SIGINT", "SIGHUP"]);
    try {
      await announce(context, options, { storage, listening: server.url, config });
      state.ready();
      await stopped;
      state.stopping();
    } finally {
      await scrapes?.close();
    }
    context.note("Stopping: finishing the requests in progress.");
  };
  const rateLimits = new RateLimiter(() => performance.now());
  await withServer(context, { config, rateLimits, metrics, mustExist: !options.bootstrap }, work);
}
