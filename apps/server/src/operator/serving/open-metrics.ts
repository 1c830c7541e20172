import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import type { ProcessMetrics } from "../../metrics/process-metrics.ts";
import type { MeasuredProcesses } from "../../metrics/series.ts";
import type { ScrapeServer } from "../../metrics/serve-scrapes.ts";
import { readLastBackup } from "../../storage/moving/last-backup.ts";
import type { CommandContext } from "../io/command-context.ts";
import { readSoon } from "./read-soon.ts";

/** Returns what measures this process. Undefined unless metrics are turned on: then nothing of it is loaded. */
export async function openProcessMetrics(
  { version, ownProcess }: Pick<CommandContext, "version" | "ownProcess">,
  { metrics }: Pick<Config, "metrics">,
): Promise<ProcessMetrics | undefined> {
  if (metrics === undefined) return undefined;
  const { ProcessMetrics } = await import("../../metrics/process-metrics.ts");
  return new ProcessMetrics(version, ownProcess);
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
  readOthers: () => Promise<MeasuredProcesses> = async () => ({ snapshots: [], late: [] }),
): Promise<ScrapeServer | undefined> {
  if (own === undefined || metrics === undefined) return undefined;
  const { serveScrapes } = await import("../../metrics/serve-scrapes.ts");
  const lastBackup = readSoon(() => readLastBackup(databaseUrl), 0);
  const read = async () => {
    const [{ snapshots, late }, backup] = await Promise.all([readOthers(), lastBackup()]);
    own.noteMissingWorkers(late.length);
    if (backup !== undefined) own.noteBackup(backup);
    return { snapshots: [await own.snapshot(), ...snapshots], late };
  };
  const onFailure = (error: unknown) => logger.error({ err: error }, "The metrics could not be read.");
  const server = await serveScrapes(metrics, read, onFailure);
  logger.info({ url: server.url }, `Prometheus can read metrics at ${server.url}`);
  return server;
}
