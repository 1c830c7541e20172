import type { Connection, WorkerProcess } from "./cluster.ts";

/**
 * As many as one server has open at a time. Accepting a connection is cheaper than sending it to a worker, so a burst of
 * connections waits here.
 */
const maxWaiting = 10_000;
/** As long as a worker waits for a request. */
const maxWaitMs = 30_000;
/**
 * How many connections may be pending at one worker. If a worker hangs, these wait until it is killed, so the number is
 * only as large as a busy worker needs.
 */
const maxPending = 16;

interface WaitingConnection {
  readonly connection: Connection;
  /** The number of the connection, in the order they came. */
  readonly order: number;
  readonly sinceMs: number;
}

export interface ConnectionDispatcherOptions {
  readonly maxWaiting?: number;
  readonly maxWaitMs?: number;
}

/**
 * Sends each connection to the worker with the fewest pending ones, and in turn if several have equally few. Connections
 * wait while there is no worker, or while each has as many pending as it may. If the queue is full, a new connection is
 * closed; so is one that has waited for too long.
 */
export class ConnectionDispatcher {
  readonly #maxWaiting: number;
  readonly #maxWaitMs: number;
  /** The worker that has waited longest for a connection comes first. */
  readonly #workers = new Set<WorkerProcess>();
  #waiting: WaitingConnection[] = [];
  #count = 0;
  #isClosed = false;
  #expiry: NodeJS.Timeout | undefined;

  constructor(options: ConnectionDispatcherOptions = {}) {
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

  /** Adds a worker that accepts connections. */
  join(worker: WorkerProcess): void {
    this.#workers.add(worker);
    this.#serve();
  }

  /** Removes a worker that accepts no more connections. */
  leave(worker: WorkerProcess): void {
    this.#workers.delete(worker);
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
      void this.#send(first, worker);
      worker = this.#pick();
    }
    this.#watchExpiry();
  }

  /** Returns the worker whose turn it is, if one may get a connection. */
  #pick(): WorkerProcess | undefined {
    let picked: WorkerProcess | undefined;
    let fewest = maxPending;
    for (const worker of this.#workers) {
      if (worker.pending.count >= fewest) continue;
      picked = worker;
      fewest = worker.pending.count;
    }
    return picked;
  }

  async #send(first: WaitingConnection, worker: WorkerProcess): Promise<void> {
    // The worker is last in turn from now on.
    this.#workers.delete(worker);
    this.#workers.add(worker);
    const isRead = await worker.send(first.connection);
    if (isRead || this.#isClosed) first.connection.close();
    else this.#putBack(first);
    this.#serve();
  }

  /** Puts back a connection that another worker must get. It came before most of those that wait. */
  #putBack(returned: WaitingConnection): void {
    const place = this.#waiting.findIndex(({ order }) => order > returned.order);
    this.#waiting.splice(place === -1 ? this.#waiting.length : place, 0, returned);
    // The timer may only watch a connection that came later.
    clearTimeout(this.#expiry);
    this.#expiry = undefined;
  }

  /** Closes the first connection in the queue once it has waited for too long. */
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
