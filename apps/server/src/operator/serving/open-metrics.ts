import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import type { ProcessMetrics } from "../../metrics/metrics.ts";
import { version } from "../../own-programs.ts";
import { readLastBackup } from "../../storage/moving/last-backup.ts";
import type { CommandContext } from "../command.ts";

/** Returns what measures this process. Undefined unless metrics are turned on: then nothing of it is loaded. */
export async function openProcessMetrics(
  { environment }: Pick<CommandContext, "environment">,
  { metrics }: Pick<Config, "metrics">,
): Promise<ProcessMetrics | undefined> {
  if (metrics === undefined) return undefined;
  const { ProcessMetrics } = await import("../../metrics/metrics.ts");
  return new ProcessMetrics(version, environment["SITEWARD_WORKER_SLOT"] ?? "0");
}

/**
 * Answers scrapes at the address of the settings.
 *
 * @param own measures this process
 * @throws Error that names the setting to change if the system refuses the address
 */
export async function serveMetrics(
  own: ProcessMetrics | undefined,
  { metrics, databaseUrl }: Pick<Config, "metrics" | "databaseUrl">,
  logger: Logger,
) {
  if (own === undefined || metrics === undefined) return undefined;
  const { listenForScrapes } = await import("../../metrics/metrics-listener.ts");
  own.watchBackups(readEachMinute(() => readLastBackup(databaseUrl)));
  const onFailure = (error: unknown) => logger.error({ err: error }, "The metrics could not be read.");
  const server = await listenForScrapes(metrics, () => own.render(), onFailure);
  logger.info({ url: server.url }, `Prometheus can read metrics at ${server.url}`);
  return server;
}

/**
 * Reads a value now and a minute after each read, so that a database or a disk that is slow keeps no scrape back: metrics are
 * most useful then. 100,000 accounts take 4 ms to count on SQLite.
 *
 * @returns a function that returns what was read last
 */
export function readEachMinute<Value>(read: () => Promise<Value>): () => Value | undefined {
  let last: Value | undefined;
  const readNext = async () => {
    last = await read().catch(() => last);
    setTimeout(readNext, 60_000).unref();
  };
  void readNext();
  return () => last;
}
