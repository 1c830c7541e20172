import type { RateLimits } from "@siteward/service";
import type { Logger } from "pino";
import { createApp } from "../../app.ts";
import { ApiKeyCache } from "../../auth/api-key-cache.ts";
import { limitInvalidKeys } from "../../auth/invalid-keys.ts";
import type { Config } from "../../config.ts";
import { admitRequests, hashInTurn } from "../../door/admission.ts";
import { type RunningServer, serve } from "../../door/serve.ts";
import { openServerLog } from "../../log.ts";
import type { ProcessMetrics } from "../../metrics/metrics.ts";
import type { Storage } from "../../storage/interface/storage.ts";
import { openOperatorStorage, readReplicas } from "../database.ts";
import { readEachMinute } from "./open-metrics.ts";
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
  /** Whether this is one of many processes. False by default. */
  readonly isWorker?: boolean;
  /** Measures what this process does. */
  readonly metrics?: ProcessMetrics | undefined;
  /** Whether a database that does not exist is refused instead of created. True by default. */
  readonly mustExist?: boolean;
}

/** Of a network. Nobody guesses a key: the limit saves look-ups. */
const maxInvalidKeysPerMinute = 600;
/** Serves in this process while `work` runs. Then it lets requests in progress finish and closes the database. */
export async function withServer(serving: ServingProcess, work: (serving: Serving) => Promise<void>): Promise<void> {
  const { config, rateLimits, metrics } = serving;
  const log = openServerLog(config);
  const { logger } = log;
  await using closing = new AsyncDisposableStack();
  closing.defer(log.flush);
  const opened = closing.use(await openServedStorage(serving, logger));
  const storage = metrics?.measureStorage(opened) ?? opened;
  const apiKeys = new ApiKeyCache(storage.apiKeys, {
    onWriteError: (error) => logger.error({ err: error }, "The last-used times of API keys could not be written."),
  });
  closing.defer(() => apiKeys.close());
  const [passwords, meter] = [hashInTurn(), metrics?.requests];
  const admissions = admitRequests(config.maxRequests);
  const failures = limitInvalidKeys(maxInvalidKeysPerMinute, () => performance.now());
  const app = createApp({ config, storage, apiKeys, failures, rateLimits, admissions, passwords, log, meter });
  const server = await serve(app, config, { logger, meter });
  closing.defer(() => server.close());
  metrics?.watch({
    activeRequests: () => admissions.reads.inProgress + admissions.writes.inProgress,
    load: () => storage.load(),
    totals: readEachMinute(() => opened.accounts.totals()),
  });
  const stopSweeping = startSweeping({
    retention: storage.retention,
    auditRetentionMs: config.auditRetention,
    onFailure: (error) => logger.error({ err: error }, "What is kept no longer could not be deleted."),
  });
  closing.defer(stopSweeping);
  await work({ server, storage, logger });
}

function openServedStorage(
  { config, isWorker = false, mustExist = true }: ServingProcess,
  logger: Logger,
): Promise<Storage & AsyncDisposable> {
  return openOperatorStorage({
    databaseUrl: config.databaseUrl,
    replicas: readReplicas(config),
    writesOnThread: true,
    trailLimitMegabytes: config.trailLimit,
    mustExist,
    // The first process has checked it for its workers. One that starts later still serves reads of a database that
    // became read-only.
    mustBeWritable: !isWorker,
    // With workers, the first process has said it.
    onUndistributed: (reason) => void (isWorker || logger.warn(reason)),
    onReplicaFault: (error) => logger.warn({ err: error }, "A replica failed and is skipped for a while."),
  });
}
