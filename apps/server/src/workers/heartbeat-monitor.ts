import type { WorkerProcess } from "./cluster.ts";

/**
 * How often a worker says that it is alive. A beat is one short message over the channel, and costs each process about 10
 * µs.
 */
export const beatIntervalMs = 1000;

/**
 * The event loop of a healthy worker turns every few milliseconds: passwords are hashed in other threads, and a full
 * garbage collection of its 100 MB takes less than 100 ms. Only a disk that does not accept a write can block it this
 * long.
 */
const maxSilentBeats = 5;

interface HeartbeatMonitorOptions {
  /** How often the monitor checks. Each worker sends one beat in that time. */
  readonly intervalMs?: number | undefined;
  /** Called once for a worker that has been silent for too long. */
  readonly onSilent: (worker: WorkerProcess) => void;
}

/**
 * Checks that running workers are alive, from the first beat of each, which comes when it is ready, to its end. Time is counted
 * in checks, not on a clock: if the entire machine slept, or this process was stopped, no worker has missed anything.
 */
export class HeartbeatMonitor {
  /** How many beats in a row each worker has missed. Undefined before its first beat: its start has its own time limit. */
  readonly #silentBeats = new Map<WorkerProcess, number | undefined>();
  readonly #onSilent: (worker: WorkerProcess) => void;
  readonly #interval: NodeJS.Timeout;

  constructor({ intervalMs = beatIntervalMs, onSilent }: HeartbeatMonitorOptions) {
    this.#onSilent = onSilent;
    this.#interval = setInterval(() => this.#look(), intervalMs);
  }

  add(worker: WorkerProcess): void {
    this.#silentBeats.set(worker, undefined);
    worker.onBeat(() => this.#noteBeat(worker));
    void worker.ended.then(() => this.#silentBeats.delete(worker));
  }

  close(): void {
    clearInterval(this.#interval);
  }

  /** A worker that was found silent is killed, so its late beats count for nothing. */
  #noteBeat(worker: WorkerProcess): void {
    if (this.#silentBeats.has(worker)) this.#silentBeats.set(worker, 0);
  }

  #look(): void {
    for (const [worker, silentBeats] of this.#silentBeats) {
      if (silentBeats === undefined) continue;
      if (silentBeats < maxSilentBeats) this.#silentBeats.set(worker, silentBeats + 1);
      else {
        this.#silentBeats.delete(worker);
        this.#onSilent(worker);
      }
    }
  }
}
