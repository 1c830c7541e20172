import { availableParallelism } from "node:os";
import type { RateLimits } from "@siteward/service";
import type { Logger } from "pino";
import { createApp } from "../../app.ts";
import { ApiKeyCache } from "../../auth/api-key-cache.ts";
import { FailedAuthentications } from "../../auth/failed-authentications.ts";
import { hashPassword } from "../../auth/hash-password.ts";
import { lowerPoolPriority } from "../../auth/lower-pool-priority.ts";
import { PasswordQueue } from "../../auth/password-queue.ts";
import { decidePasswordQueueLimits } from "../../auth/password-queue-limits.ts";
import type { Config } from "../../config.ts";
import type { ConnectionSource } from "../../door/sockets/receive-connections.ts";
import { fixedTimeouts, type RunningServer, serve } from "../../door/sockets/serve.ts";
import type { ProcessMetrics } from "../../metrics/process-metrics.ts";
import type { Storage } from "../../storage/interface/storage.ts";
import { openOperatorStorage } from "../database/open-operator-storage.ts";
import type { CommandContext } from "../io/command-context.ts";
import { boundHeap } from "./bound-heap.ts";
import { openLog } from "./open-log.ts";
import { readSoon } from "./read-soon.ts";
import { startSweeping } from "./start-sweeping.ts";

/** A server and its open database. */
export interface Serving {
  readonly server: RunningServer;
  readonly storage: Storage;
  readonly logger: Logger;
}

/** How this process takes part in serving. */
interface ServingProcess {
  readonly config: Config;
  readonly rateLimits: RateLimits;
  /** Where connections come from, if another process listens at the address. */
  readonly connections?: ConnectionSource;
  /** Measures what this process does. Undefined if nothing is measured. */
  readonly metrics?: ProcessMetrics | undefined;
  /** Whether a database that does not exist is refused instead of created. True by default. */
  readonly mustExist?: boolean;
}

/** Scrapes come every few seconds, and 100,000 accounts take 4 ms to count on SQLite, while which the process does nothing else. */
const maxTotalsAgeMs = 60_000;

/** Serves in this process while `work` runs. Then it lets requests in progress finish and closes the database. */
export async function withServer(
  context: CommandContext,
  serving: ServingProcess,
  work: (serving: Serving) => Promise<void>,
): Promise<void> {
  const { config, rateLimits, connections, metrics } = serving;
  // Data goes to standard output, and the log to standard error.
  const log = openLog(context, config, { isShared: config.workers > 1 });
  const { logger } = log;
  using _bound = boundHeap();
  const opened = await openServedStorage(serving, logger);
  const storage = metrics?.measureStorage(opened) ?? opened;
  const apiKeys = new ApiKeyCache(storage.apiKeys, {
    onWriteError: (error) => logger.error({ err: error }, "The last-used times of API keys could not be written."),
  });
  const failures = new FailedAuthentications({ limit: config.failedAuthLimit, now: () => performance.now() });
  await lowerPoolPriority();
  const { threads, workers, timeouts, maxRequests } = config;
  const limits = decidePasswordQueueLimits({ threads, workers, maxRequests, cores: availableParallelism() });
  const passwords = new PasswordQueue(hashPassword, limits);
  try {
    const app = createApp({
      config,
      storage,
      apiKeys,
      failures,
      rateLimits,
      passwords,
      log,
      meter: metrics?.requests,
    });
    const server = await serve(app, config, {
      logger,
      connections,
      timeouts: { ...timeouts, ...fixedTimeouts },
      maxRequests,
      meter: metrics?.requests,
    });
    const totals = readSoon(() => opened.accounts.totals(), maxTotalsAgeMs);
    metrics?.watch(async () => ({
      activeRequests: server.activeRequests(),
      passwords,
      storage: storage.load(),
      totals: await totals(),
    }));
    const sweep = startSweeping({
      retention: storage.retention,
      auditRetentionMs: config.auditRetentionMs,
      onFailure: (error) => logger.error({ err: error }, "What is kept no longer could not be deleted."),
      random: Math.random,
    });
    try {
      await work({ server, storage, logger });
    } finally {
      await server.close();
      await sweep.stop();
    }
  } finally {
    await apiKeys.close();
    await storage.close().finally(log.flush);
  }
}

function openServedStorage(
  { config, connections, mustExist = true }: ServingProcess,
  logger: Logger,
): Promise<Storage> {
  return openOperatorStorage({
    databaseUrl: config.databaseUrl,
    replicaUrls: config.databaseReplicaUrls,
    writesOnThread: true,
    trailLimitMegabytes: config.trailLimitMegabytes,
    onTrailLimitReached: (accountId) =>
      logger.warn(
        { account_id: accountId },
        `The changes of an account have reached SITEWARD_TRAIL_LIMIT, ${config.trailLimitMegabytes} MB in a day. ` +
          "They are refused until midnight UTC.",
      ),
    mustExist,
    // The first process has checked it for its workers. One that starts later still serves reads of a database that became read-only.
    mustBeWritable: connections === undefined,
    // With workers, the first process has said it.
    onUndistributed: (reason) => void (connections === undefined && logger.warn(reason)),
    onReplicaFault: (error) => logger.warn({ err: error }, "A replica failed and is skipped for a while."),
  });
}
