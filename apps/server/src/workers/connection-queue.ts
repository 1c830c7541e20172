import type { Connection, WorkerProcess } from "./cluster.ts";

/** As many as one server has open at a time. To accept is cheaper than to hand over, so a burst forms a queue. */
const maxWaiting = 10_000;
/** As long as a worker waits for a request. */
const maxWaitMs = 30_000;
/**
 * How many connections may be on the way to one worker. A worker that hangs holds as many until it is killed, so no more
 * than keep a busy one supplied.
 */
const maxOnTheWay = 16;

interface WaitingConnection {
  readonly connection: Connection;
  /** Counts the connections that have come. */
  readonly order: number;
  readonly sinceMs: number;
}

export interface ConnectionQueueOptions {
  readonly maxWaiting?: number;
  readonly maxWaitMs?: number;
}

/**
 * Hands each connection to the worker with the fewest on the way to it, and in turn if several have as few. Connections wait
 * while there is no worker, or while each has as many on the way as it may. A connection that finds the queue full, or that
 * has waited for too long, is closed.
 */
export class ConnectionQueue {
  readonly #maxWaiting: number;
  readonly #maxWaitMs: number;
  /** How many connections are on the way to each worker; the worker that has waited longest for one comes first. */
  readonly #onTheWay = new Map<WorkerProcess, number>();
  #waiting: WaitingConnection[] = [];
  #count = 0;
  #isClosed = false;
  #expiry: NodeJS.Timeout | undefined;

  constructor(options: ConnectionQueueOptions = {}) {
    this.#maxWaiting = options.maxWaiting ?? maxWaiting;
    this.#maxWaitMs = options.maxWaitMs ?? maxWaitMs;
  }

  add(connection: Connection): void {
    if (this.#isClosed || this.#waiting.length >= this.#maxWaiting) {
      connection.close();
      return;
    }
    this.#count += 1;
    this.#waiting.push({ connection, order: this.#count, sinceMs: performance.now() });
    this.#serve();
  }

  /** The worker takes connections. */
  join(worker: WorkerProcess): void {
    this.#onTheWay.set(worker, 0);
    this.#serve();
  }

  /** The worker takes no more connections. */
  leave(worker: WorkerProcess): void {
    this.#onTheWay.delete(worker);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#expiry);
    for (const { connection } of this.#waiting) connection.close();
    this.#waiting = [];
  }

  #serve(): void {
    let worker = this.#pick();
    while (worker !== undefined) {
      const first = this.#waiting.shift();
      if (first === undefined) return;
      void this.#handOver(first, worker);
      worker = this.#pick();
    }
    this.#watchExpiry();
  }

  /** The worker whose turn it is, if there is one that may get a connection. */
  #pick(): WorkerProcess | undefined {
    let picked: WorkerProcess | undefined;
    let fewest = maxOnTheWay;
    for (const [worker, onTheWay] of this.#onTheWay) {
      if (onTheWay >= fewest) continue;
      picked = worker;
      fewest = onTheWay;
    }
    return picked;
  }

  async #handOver(first: WaitingConnection, worker: WorkerProcess): Promise<void> {
    const before = this.#onTheWay.get(worker) ?? 0;
    // Last in turn from now on.
    this.#onTheWay.delete(worker);
    this.#onTheWay.set(worker, before + 1);
    const isTaken = await worker.take(first.connection);
    if (isTaken || this.#isClosed) first.connection.close();
    else this.#putBack(first);
    const onTheWay = this.#onTheWay.get(worker);
    if (onTheWay !== undefined) this.#onTheWay.set(worker, onTheWay - 1);
    this.#serve();
  }

  /** It came before most that wait, and goes to another worker. */
  #putBack(returned: WaitingConnection): void {
    const place = this.#waiting.findIndex(({ order }) => order > returned.order);
    this.#waiting.splice(place === -1 ? this.#waiting.length : place, 0, returned);
    // The time of those that came later may be all that is watched.
    clearTimeout(this.#expiry);
    this.#expiry = undefined;
  }

  /** Closes the first in the queue once it has waited for too long. */
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
