import type { WorkerProcess } from "./cluster.ts";
import { beatIntervalMs, Heartbeat } from "./heartbeat.ts";

export interface HeartbeatMonitorOptions {
  /** How often the monitor checks. Each worker sends one beat in that time. */
  readonly intervalMs?: number | undefined;
  /** Called once for a worker that has been silent for too long. */
  readonly onSilent: (worker: WorkerProcess) => void;
}

/** Checks that running workers are alive, from the first beat of each to its end. */
export class HeartbeatMonitor {
  readonly #heartbeats = new Map<WorkerProcess, Heartbeat>();
  readonly #onSilent: (worker: WorkerProcess) => void;
  readonly #interval: NodeJS.Timeout;

  constructor({ intervalMs = beatIntervalMs, onSilent }: HeartbeatMonitorOptions) {
    this.#onSilent = onSilent;
    this.#interval = setInterval(() => this.#look(), intervalMs);
  }

  add(worker: WorkerProcess): void {
    const heartbeat = new Heartbeat();
    this.#heartbeats.set(worker, heartbeat);
    worker.onBeat(() => heartbeat.beat());
    void worker.ended.then(() => this.#heartbeats.delete(worker));
  }

  close(): void {
    clearInterval(this.#interval);
  }

  #look(): void {
    for (const [worker, heartbeat] of this.#heartbeats) {
      if (!heartbeat.look()) continue;
      this.#heartbeats.delete(worker);
      this.#onSilent(worker);
    }
  }
}
