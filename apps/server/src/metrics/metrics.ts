import { AggregatorRegistry, Registry } from "@prometheus-io/client";
import type { RequestMeter } from "../door/request-log.ts";
import type { Storage } from "../storage/interface/storage.ts";
import type { StorageLoad } from "../storage/interface/storage-load.ts";
import { addCounter, addGauge } from "./at-scrape.ts";
import { measureStorage } from "./measured-storage.ts";
import { measureProcess } from "./process.ts";
import { createRequestMeter } from "./routes.ts";

/** What a process serves with. To read it costs nothing. */
export interface MeasuredServer {
  activeRequests(): number;
  load(): StorageLoad;
  /** The accounts and their websites. Undefined while they are not known. */
  totals(): { readonly accounts: number; readonly websites: number } | undefined;
}

/** The media type of what Prometheus reads. */
export const contentType = Registry.PROMETHEUS_CONTENT_TYPE;

/**
 * What one process measures. No label has a value that a client chooses: each value is a series, which Prometheus
 * keeps. Every series has the label `worker`. A worker that starts in the place of another one begins at 0, as
 * Prometheus expects of a process that starts. A sum over workers would fall when one of them ends, and what is left
 * would count again.
 */
export class ProcessMetrics {
  readonly registry: AggregatorRegistry<typeof contentType> = new AggregatorRegistry();
  readonly requests: RequestMeter;

  /** @param worker the place of this process among those that serve together */
  constructor(version: string, worker: string) {
    AggregatorRegistry.setRegistries(this.registry);
    this.registry.setDefaultLabels({ worker });
    this.requests = createRequestMeter(this.registry);
    measureProcess(this.registry);
    const help = "The versions of the server and of Node.js. The value is 1.";
    const labels = ["version", "node_version"];
    const read = () => [[1, version, process.version] as const];
    addGauge(this.registry, "siteward_build_info", help, read, { labels, aggregator: "max" });
  }

  measureStorage(storage: Storage): Storage {
    return measureStorage(storage, this.registry);
  }

  /** Reads the server at each scrape, from now on. */
  watch({ activeRequests, totals, load }: MeasuredServer): void {
    const registry = this.registry;
    addGauge(registry, "siteward_workers", "Processes that accept requests.", () => [[1]]);
    addGauge(registry, "http_server_active_requests", "Requests in progress.", () => [[activeRequests()]]);
    const isSame = { aggregator: "max" } as const;
    addGauge(registry, "siteward_accounts", "Accounts, at most a minute ago.", () => [[totals()?.accounts]], isSame);
    const websites = "Websites of all accounts, at most a minute ago.";
    addGauge(registry, "siteward_websites", websites, () => [[totals()?.websites]], isSame);
    watchStorage(registry, load);
  }

  /** @param readCompletedAt when the last backup was complete, if there is one */
  watchBackups(readCompletedAt: () => Date | undefined): void {
    const name = "siteward_last_backup_timestamp_seconds";
    const help = "When the last backup with siteward-server backup was complete, in seconds since 1970.";
    const toSeconds = (date: Date | undefined) => (date === undefined ? undefined : date.getTime() / 1000);
    addGauge(this.registry, name, help, () => [[toSeconds(readCompletedAt())]]);
  }

  /**
   * Returns the text that Prometheus reads. The first process asks its workers for what they have measured.
   *
   * @throws Error if one of them does not answer within five seconds
   */
  render(): Promise<string> {
    return this.registry.clusterMetrics();
  }
}

function watchStorage(registry: Registry, load: () => StorageLoad): void {
  const sent = "Changes that were sent to be stored and are not answered yet.";
  addGauge(registry, "siteward_storage_waiting_writes", sent, () => [[load().waitingWrites]]);
  const pool = "db_client_connection_pool_name";
  const labels = [pool];
  const readOpen = () =>
    load().pools.flatMap(({ name, used, idle }) => [[used, name, "used"] as const, [idle, name, "idle"] as const]);
  const states = { labels: [pool, "db_client_connection_state"] };
  addGauge(registry, "db_client_connections", "Open connections to PostgreSQL.", readOpen, states);
  const most = "Connections to PostgreSQL that may be open, while none hangs.";
  const readMax = () => load().pools.map(({ name, max }) => [max, name] as const);
  addGauge(registry, "db_client_connection_max", most, readMax, { labels });
  const wait = "Callers that wait for a connection to PostgreSQL.";
  const readWaiting = () => load().pools.map(({ name, waiting }) => [waiting, name] as const);
  addGauge(registry, "db_client_connection_pending_requests", wait, readWaiting, { labels });
  // Their order is that of the setting. Their addresses can name what nobody else should know.
  const readLag = () => (load().replication?.lagBytes ?? []).map((bytes, index) => [bytes, `${index + 1}`] as const);
  const lag = "How far a replica was behind the primary when it was last read.";
  addGauge(registry, "siteward_replica_lag_bytes", lag, readLag, { labels: ["replica"], aggregator: "max" });
  const reads = "Reads that a replica could answer, by who answered them.";
  const readReads = () => {
    const { replication } = load();
    if (replication === undefined) return [];
    return [[replication.reads, "replica"] as const, [replication.readsPassedOver, "primary"] as const];
  };
  addCounter(registry, "siteward_replica_reads_total", reads, readReads, { labels: ["answered_by"] });
}
