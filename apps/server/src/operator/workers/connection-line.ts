import type { Connection, WorkerProcess } from "./cluster.ts";

/** Workers take a connection in far less than a millisecond each: a line of this length forms only where there is none. */
const maxWaiting = 1024;
/** As long as a worker waits for a request. */
const maxWaitMs = 30_000;

interface WaitingConnection {
  readonly connection: Connection;
  readonly sinceMs: number;
}

export interface ConnectionLineOptions {
  readonly maxWaiting?: number;
  readonly maxWaitMs?: number;
}

/**
 * Hands each connection to the next worker in turn, one at a time for each worker. While no worker is there, connections
 * wait: those that find the line full, and those that wait for too long, are closed.
 */
export class ConnectionLine {
  readonly #maxWaiting: number;
  readonly #maxWaitMs: number;
  readonly #members = new Set<WorkerProcess>();
  /** Those of them that have taken what they were handed, the one that has waited longest first. */
  readonly #free = new Set<WorkerProcess>();
  #waiting: WaitingConnection[] = [];
  #isClosed = false;
  #expiry: NodeJS.Timeout | undefined;

  constructor(options: ConnectionLineOptions = {}) {
    this.#maxWaiting = options.maxWaiting ?? maxWaiting;
    this.#maxWaitMs = options.maxWaitMs ?? maxWaitMs;
  }

  add(connection: Connection): void {
    if (this.#isClosed || this.#waiting.length >= this.#maxWaiting) {
      connection.close();
      return;
    }
    this.#waiting.push({ connection, sinceMs: performance.now() });
    this.#serve();
  }

  /** The worker takes connections. */
  join(worker: WorkerProcess): void {
    this.#members.add(worker);
    this.#free.add(worker);
    this.#serve();
  }

  /** The worker takes no more connections. */
  leave(worker: WorkerProcess): void {
    this.#members.delete(worker);
    this.#free.delete(worker);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#expiry);
    for (const { connection } of this.#waiting) connection.close();
    this.#waiting = [];
  }

  #serve(): void {
    for (const worker of this.#free) {
      const first = this.#waiting.shift();
      if (first === undefined) return;
      void this.#handOver(first, worker);
    }
    this.#watchExpiry();
  }

  async #handOver(first: WaitingConnection, worker: WorkerProcess): Promise<void> {
    this.#free.delete(worker);
    const isTaken = await worker.take(first.connection);
    if (isTaken || this.#isClosed) first.connection.close();
    // It came before all that wait, and goes to another.
    else this.#waiting.unshift(first);
    if (this.#members.has(worker)) this.#free.add(worker);
    this.#serve();
  }

  /** Closes the first in the line once it has waited for too long. */
  #watchExpiry(): void {
    const [first] = this.#waiting;
    if (first === undefined || this.#expiry !== undefined) return;
    const leftMs = Math.max(1, first.sinceMs + this.#maxWaitMs - performance.now());
    this.#expiry = setTimeout(() => {
      this.#expiry = undefined;
      const nowMs = performance.now();
      while (this.#waiting[0] !== undefined && nowMs - this.#waiting[0].sinceMs >= this.#maxWaitMs) {
        this.#waiting.shift()?.connection.close();
      }
      this.#watchExpiry();
    }, leftMs);
  }
}
