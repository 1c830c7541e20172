import type { RequestMeter } from "../door/admission/request-meter.ts";
import type { Storage } from "../storage/interface/storage.ts";
import { measureStorage } from "./measured-storage.ts";
import { type MeasuredProcess, ProcessMeter } from "./note-process.ts";
import { type MeasuredServer, noteServer } from "./note-server.ts";
import { createRequestMeter } from "./request-meter.ts";
import { SeriesTable, type Snapshot } from "./series.ts";

/** What one process measures. */
export class ProcessMetrics {
  readonly requests: RequestMeter;
  readonly #table = new SeriesTable();
  readonly #process: ProcessMeter;
  #readServer: (() => Promise<MeasuredServer>) | undefined;

  constructor(version: string, measured: MeasuredProcess) {
    this.requests = createRequestMeter(this.#table);
    this.#process = new ProcessMeter(this.#table, measured);
    this.#table.get("siteward_build_info", version, measured.version).set(1);
  }

  /** Returns the storage with a clock around each call. */
  measureStorage(storage: Storage): Storage {
    return measureStorage(storage, this.#table);
  }

  /** Reads the server at each snapshot, from now on. */
  watch(readServer: () => Promise<MeasuredServer>): void {
    this.#readServer = readServer;
    this.#table.get("siteward_workers").set(1);
  }

  noteBackup(completedAt: Date): void {
    this.#table.get("siteward_last_backup_timestamp_seconds").set(completedAt.getTime() / 1000);
  }

  noteMissingWorkers(count: number): void {
    this.#table.get("siteward_scrape_workers_missing").set(count);
  }

  async snapshot(): Promise<Snapshot> {
    const server = await this.#readServer?.();
    if (server !== undefined) noteServer(this.#table, server);
    this.#process.note();
    return this.#table.snapshot();
  }
}
