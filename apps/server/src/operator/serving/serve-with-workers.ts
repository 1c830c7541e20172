import { RateLimiter } from "@siteward/service";
import type { Config } from "../../config.ts";
import { listeningUrl } from "../../door/sockets/listen.ts";
import { answerLeases } from "../../limits/lease-desk.ts";
import type { ScrapeServer } from "../../metrics/serve-scrapes.ts";
import type { Cluster, Port } from "../../workers/cluster.ts";
import { ConnectionDispatcher } from "../../workers/connection-dispatcher.ts";
import { WorkerMetrics } from "../../workers/worker-metrics.ts";
import { WorkerPool } from "../../workers/worker-pool.ts";
import { openOperatorStorage } from "../database/open-operator-storage.ts";
import type { CommandContext } from "../io/command-context.ts";
import { untilSignal } from "../io/until-signal.ts";
import { type AnnounceOptions, announce } from "./announce.ts";
import { openLog } from "./open-log.ts";
import { openProcessMetrics, serveMetrics } from "./open-metrics.ts";
import { tellServiceManager } from "./service-state.ts";

/** Serves with many processes at one address, and keeps them running, until it is stopped. */
export async function serveWithWorkers(
  context: CommandContext,
  options: AnnounceOptions,
  { config, cluster }: { config: Config; cluster: Cluster },
): Promise<void> {
  using state = tellServiceManager(context);
  const log = openLog(context, config, { isShared: true });
  const dispatcher = new ConnectionDispatcher();
  const limiter = new RateLimiter(() => performance.now());
  const metrics = await openProcessMetrics(context, config);
  let scrapes: ScrapeServer | undefined;
  const reported = new WorkerMetrics((snapshot) => scrapes?.retain(snapshot));
  const pool = new WorkerPool(cluster, {
    dispatcher,
    size: config.workers,
    logger: log.logger,
    answerLeases: (request) => answerLeases(limiter, config.workers, request),
    ...(metrics === undefined ? {} : { onWorker: (worker) => reported.watch(worker) }),
  });
  let port: Port | undefined;
  try {
    // Migrates the database before any worker opens it.
    const storage = await openOperatorStorage({
      databaseUrl: config.databaseUrl,
      mustExist: !options.bootstrap,
      mustBeWritable: true,
      onUndistributed: (reason) => log.logger.warn(reason),
    });
    let stopped: Promise<void>;
    try {
      port = await cluster.openPort(config, (connection) => dispatcher.add(connection));
      scrapes = await serveMetrics(metrics, config, log.logger, () => reported.collect());
      await pool.open(["--port", String(port.port)]);
      const listening = listeningUrl(config.host, port.port);
      // Listens for signals before anybody can know of the server.
      stopped = untilAskedToStop(context, () => void state.duringReload(() => pool.restart()));
      await announce(context, options, { storage, listening, config });
      state.ready();
    } finally {
      await storage.close();
    }
    await stopped;
    state.stopping();
    context.note("Stopping: finishing the requests in progress.");
  } finally {
    port?.close();
    dispatcher.close();
    await pool.close();
    await scrapes?.close();
    log.flush();
  }
}

/**
 * Resolves once the server must stop. A hang-up replaces the workers, as it does in most services, unless the terminal
 * was closed.
 */
async function untilAskedToStop(context: CommandContext, restart: () => void): Promise<void> {
  const closed = Promise.withResolvers<void>();
  context.onSignal("SIGHUP", () => (context.isTerminalClosed() ? closed.resolve() : restart()));
  await Promise.race([untilSignal(context, ["SIGTERM", "SIGINT"]), closed.promise]);
}
