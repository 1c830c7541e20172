import { RateLimiter } from "@siteward/service";
import { Command } from "commander";
import type { Config, Flags } from "../../config.ts";
import { type CommandContext, UsageError, untilSignal } from "../command.ts";
import { type AnnounceOptions, announce } from "../serving/announce.ts";
import { openProcessMetrics, serveMetrics } from "../serving/open-metrics.ts";
import { type Serving, withServer } from "../serving/with-server.ts";
import { notifySystemd } from "../systemd.ts";
import { addSettingFlags, readConfig } from "../values.ts";

type StartOptions = AnnounceOptions & Flags;

/** Returns the command `start`, which serves until it is stopped, and then lets requests in progress finish. */
export function startCommand(context: CommandContext): Command {
  return addSettingFlags(new Command("start").description("serve the API until stopped"))
    .option("--bootstrap", "create an account and an API key if no account exists, and print the key once")
    .option(
      "--bootstrap-key-file <file>",
      "write this key to a new file that only you can read, instead of printing it",
    )
    .action((options: StartOptions) => start(context, options));
}

async function start(context: CommandContext, options: StartOptions): Promise<void> {
  if (options.bootstrapKeyFile !== undefined && options.bootstrap !== true) {
    throw new UsageError("--bootstrap-key-file is used together with --bootstrap.");
  }
  const config = readConfig(context.environment, options);
  if (config.workers === 1) return serveInOneProcess(context, options, config);
  // The modules of many processes take memory that one process does not need.
  const { isWorker } = await import("../../workers/worker.ts");
  const { serveAsWorker, serveWithWorkers } = await import("../serving/serve-with-workers.ts");
  return isWorker(context.environment) ? serveAsWorker(context, config) : serveWithWorkers(context, options, config);
}

/** Serves in this one process until it is stopped. No other process can continue, so a hang-up also stops it. */
async function serveInOneProcess(context: CommandContext, options: AnnounceOptions, config: Config): Promise<void> {
  const manager = notifySystemd(context);
  const metrics = await openProcessMetrics(context, config);
  const work = async ({ server, storage, logger }: Serving) => {
    await using _ = await serveMetrics(metrics, config, logger);
    // Listens for signals before anybody can know of the server.
    const stopped = untilSignal(context, ["SIGTERM", "SIGINT", "SIGHUP"]);
    await announce(context, options, { storage, listening: server.url, config });
    manager.ready();
    await stopped;
    manager.stopping();
    context.note("Stopping: finishing the requests in progress.");
  };
  const rateLimits = new RateLimiter(() => performance.now());
  await withServer({ config, rateLimits, metrics, mustExist: !options.bootstrap }, work);
}
