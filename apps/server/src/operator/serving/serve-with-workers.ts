import { createServer } from "node:net";
import { isatty } from "node:tty";
import { RateLimiter } from "@siteward/service";
import type { Config } from "../../config.ts";
import { listen, listeningUrl } from "../../door/listen.ts";
import { LeasedRateLimits } from "../../limits/leased-rate-limits.ts";
import { openServerLog } from "../../log.ts";
import type { End } from "../../workers/start-worker.ts";
import { Supervisor } from "../../workers/supervise.ts";
import { askForTokens, linkToPrimary } from "../../workers/worker.ts";
import { type CommandContext, CommandError, untilSignal } from "../command.ts";
import { openOperatorStorage } from "../database.ts";
import { notifySystemd } from "../systemd.ts";
import { type AnnounceOptions, announce } from "./announce.ts";
import { openProcessMetrics, serveMetrics } from "./open-metrics.ts";
import { type Serving, withServer } from "./with-server.ts";

/** Serves with many processes at one address, and keeps them running, until it is stopped. */
export async function serveWithWorkers(
  context: CommandContext,
  options: AnnounceOptions,
  config: Config,
): Promise<void> {
  const manager = notifySystemd(context);
  const log = openServerLog(config);
  const { logger } = log;
  await using closing = new AsyncDisposableStack();
  closing.defer(log.flush);
  const limiter = new RateLimiter(() => performance.now());
  const metrics = await openProcessMetrics(context, config);
  let stopped: Promise<void>;
  {
    // Migrates the database before any worker opens it.
    await using storage = await openOperatorStorage({
      databaseUrl: config.databaseUrl,
      mustExist: !options.bootstrap,
      mustBeWritable: true,
      onUndistributed: (reason) => logger.warn(reason),
    });
    const port = await findPort(config);
    closing.use(await serveMetrics(metrics, config, logger));
    const supervisor = new Supervisor([...process.argv.slice(2), "--port", String(port)], {
      size: config.workers,
      logger,
      answerLease: ({ keyId, limit, count }) => ({ keyId, ...limiter.take(keyId, limit, count) }),
    });
    closing.defer(() => supervisor.close());
    const failure = await supervisor.open();
    if (failure !== undefined) throw toStartError(failure);
    const listening = listeningUrl(config.host, port);
    // Listens for signals before anybody can know of the server.
    stopped = untilAskedToStop(context, () => supervisor.restart());
    await announce(context, options, { storage, listening, config });
    manager.ready();
  }
  await stopped;
  manager.stopping();
  context.note("Stopping: finishing the requests in progress.");
}

/** A worker that has exited has said why. */
function toStartError({ code, signal, error }: End): CommandError {
  const reason = error instanceof Error ? error.message : `the first one ended with ${signal ?? code}`;
  return new CommandError(`No worker could start: ${reason}.`, code || 1);
}

/**
 * Finds out whether the port is free, or which one is. The workers listen there, and this process for them: if none of
 * them lives, the port is closed.
 */
async function findPort(config: Config): Promise<number> {
  const server = createServer();
  const port = await listen(server, config);
  server.close();
  return port;
}

const hadTerminal = process.stderr.isTTY;

/**
 * Resolves once the server must stop. A hang-up replaces the workers, as it does in most services, unless the terminal
 * was closed, which then is no longer one.
 */
async function untilAskedToStop(context: CommandContext, restart: () => void): Promise<void> {
  const closed = Promise.withResolvers<void>();
  context.onSignal("SIGHUP", () => (hadTerminal && !isatty(process.stderr.fd) ? closed.resolve() : restart()));
  await Promise.race([untilSignal(context, ["SIGTERM", "SIGINT"]), closed.promise]);
}

/** Serves as one of many processes until it is stopped or replaced, or the first process is gone. */
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
