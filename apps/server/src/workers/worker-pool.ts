import type { Logger } from "pino";
import type { LeaseAnswer, LeaseRequest } from "../limits/lease-messages.ts";
import type { Cluster, WorkerEnd, WorkerProcess } from "./cluster.ts";
import type { ConnectionDispatcher } from "./connection-dispatcher.ts";
import { HeartbeatMonitor } from "./heartbeat-monitor.ts";
import { decideRestartDelay, type EndedWorker, endBackOff, type RestartPace, startPace } from "./restart-delay.ts";
import { WorkerStartError } from "./worker-start-error.ts";

interface WorkerPoolOptions {
  /** Gives the workers their connections. */
  readonly dispatcher: ConnectionDispatcher;
  /** How many workers serve. */
  readonly size: number;
  readonly logger: Logger;
  /** Answers the requests of workers for rate limit tokens. */
  readonly answerLeases: (request: LeaseRequest) => LeaseAnswer;
  /** Called with each worker when its process has been started. */
  readonly onWorker?: (worker: WorkerProcess) => void;
  /** How often a worker says that it is alive. */
  readonly beatIntervalMs?: number;
}

/** A worker that has not started by then never will. */
const startTimeoutMs = 60_000;
/** Longer than a worker takes to finish the requests in progress and to close its database. */
const stopTimeoutMs = 15_000;
/** Longer than a replaced worker waits for its clients and then takes to stop. */
const retireTimeoutMs = 30_000;

/** Keeps a number of workers running. */
export class WorkerPool {
  readonly #cluster: Cluster;
  readonly #dispatcher: ConnectionDispatcher;
  readonly #size: number;
  readonly #logger: Logger;
  readonly #answerLeases: WorkerPoolOptions["answerLeases"];
  readonly #onWorker: (worker: WorkerProcess) => void;
  /** Workers that start or serve, without those that were asked to leave. */
  readonly #staying = new Set<WorkerProcess>();
  readonly #running = new Set<WorkerProcess>();
  /** Timers of workers that will be started later. */
  readonly #delays = new Set<NodeJS.Timeout>();
  /** The arguments of workers after the command line of this process. */
  #words: readonly string[] = [];
  readonly #watch: HeartbeatMonitor;
  #restartPace: RestartPace;
  #restartsWanted = 0;
  #isOpen = false;
  #isClosing = false;

  constructor(cluster: Cluster, options: WorkerPoolOptions) {
    const { dispatcher, size, logger, answerLeases, onWorker = () => undefined, beatIntervalMs } = options;
    this.#cluster = cluster;
    this.#dispatcher = dispatcher;
    this.#size = size;
    this.#logger = logger;
    this.#answerLeases = answerLeases;
    this.#onWorker = onWorker;
    this.#restartPace = startPace({ size, nowMs: performance.now() });
    this.#watch = new HeartbeatMonitor({ intervalMs: beatIntervalMs, onSilent: (worker) => this.#killSilent(worker) });
  }

  /**
   * Starts a first worker, and the others once it has started.
   *
   * @param words the arguments of workers after the command line of this process
   * @throws WorkerStartError if the first worker fails to start
   */
  async open(words: readonly string[]): Promise<void> {
    this.#words = words;
    const first = this.#start();
    if (!(await first.isReady)) throw toStartError(await first.worker.ended);
    this.#isOpen = true;
    this.#fill();
  }

  /**
   * Replaces the workers one at a time, each once the new one has started. If a new one fails to start, the restart is
   * stopped and the other workers continue. If this is called again meanwhile, the workers are replaced once more.
   */
  async restart(): Promise<void> {
    this.#restartsWanted = Math.min(this.#restartsWanted + 1, 2);
    if (this.#restartsWanted > 1) return;
    for (; this.#restartsWanted > 0 && !this.#isClosing; this.#restartsWanted -= 1) {
      this.#logger.info("Replacing the workers one at a time.");
      const isDone = await this.#replaceEach([...this.#staying]);
      if (this.#isClosing) return;
      if (isDone) this.#logger.info("Replaced all workers.");
      else this.#logger.error("A new worker failed to start; the restart was stopped, and the other workers continue.");
    }
  }

  /** Lets every worker finish the requests in progress, and resolves once all of them have ended. */
  async close(): Promise<void> {
    this.#isClosing = true;
    // The last worker to close an embedded database writes its log back, which can block it for long.
    this.#watch.close();
    for (const delay of this.#delays) clearTimeout(delay);
    for (const worker of this.#running) worker.kill("SIGTERM");
    const force = setTimeout(() => {
      const pids = [...this.#running].map(({ pid }) => pid);
      this.#logger.warn({ worker_pids: pids }, "Killing workers that did not stop in time.");
      for (const worker of this.#running) worker.kill("SIGKILL");
    }, stopTimeoutMs);
    await Promise.all([...this.#running].map(({ ended }) => ended));
    clearTimeout(force);
  }

  async #replaceEach(workers: readonly WorkerProcess[]): Promise<boolean> {
    for (const worker of workers) {
      // A worker that ended meanwhile has already been replaced.
      if (!this.#staying.has(worker)) continue;
      const isReady = await this.#start().isReady;
      if (this.#isClosing || !isReady) return false;
      if (this.#staying.delete(worker)) this.#retire(worker);
      // Another worker may have ended while there was one too many.
      this.#fill();
    }
    return true;
  }

  #retire(worker: WorkerProcess): void {
    this.#dispatcher.leave(worker);
    worker.retire();
    const force = setTimeout(() => {
      this.#logger.warn({ worker_pid: worker.pid }, "Killing a replaced worker that did not stop in time.");
      worker.kill("SIGKILL");
    }, retireTimeoutMs);
    void worker.ended.then(() => clearTimeout(force));
  }

  #fill(): void {
    while (this.#staying.size + this.#delays.size < this.#size) this.#start();
  }

  #start(): { worker: WorkerProcess; isReady: Promise<boolean> } {
    const worker = this.#cluster.fork(this.#words);
    this.#staying.add(worker);
    this.#running.add(worker);
    this.#watch.add(worker);
    worker.onLeaseRequest(this.#answerLeases);
    this.#onWorker(worker);
    void Promise.all([worker.ended, worker.listening]).then(([end, hasListened]) =>
      this.#noteEnd(worker, { ...end, hasListened }),
    );
    return { worker, isReady: this.#untilReady(worker) };
  }

  async #untilReady(worker: WorkerProcess): Promise<boolean> {
    const timeout = setTimeout(() => worker.kill("SIGKILL"), startTimeoutMs);
    const isReady = await worker.listening;
    clearTimeout(timeout);
    if (!isReady) return false;
    this.#restartPace = endBackOff(this.#restartPace);
    this.#logger.info({ worker_pid: worker.pid }, "A worker started.");
    void worker.left.then(() => this.#dispatcher.leave(worker));
    this.#dispatcher.join(worker);
    return true;
  }

  /** Kills a worker that hangs. What it was doing is lost: the lock it may hold, and its connections. */
  #killSilent(worker: WorkerProcess): void {
    this.#logger.error({ worker_pid: worker.pid }, "Killing a worker that does not respond.");
    // A stopped process does not react to any other signal.
    worker.kill("SIGKILL");
  }

  #noteEnd(worker: WorkerProcess, ended: EndedWorker): void {
    const { code, signal, error } = ended;
    this.#running.delete(worker);
    const how = { worker_pid: worker.pid, exit_code: code, signal, err: error };
    if (!this.#staying.delete(worker)) {
      this.#logger.info(how, "A replaced worker stopped.");
      return;
    }
    if (this.#isClosing || !this.#isOpen) return;
    const moment = { size: this.#size, nowMs: performance.now() };
    const { pace, delayMs } = decideRestartDelay(this.#restartPace, ended, moment);
    this.#restartPace = pace;
    this.#logger.warn({ ...how, restart_delay_ms: delayMs }, "A worker ended unexpectedly.");
    if (delayMs === 0) this.#fill();
    else this.#fillAfter(delayMs);
  }

  #fillAfter(delayMs: number): void {
    if (this.#staying.size + this.#delays.size >= this.#size) return;
    const delay = setTimeout(() => {
      this.#delays.delete(delay);
      this.#fill();
    }, delayMs);
    this.#delays.add(delay);
  }
}

function toStartError({ code, signal, error }: WorkerEnd): Error {
  if (code !== null && code > 0) return new WorkerStartError(`A worker failed to start and exited with ${code}.`, code);
  const reason = error?.message ?? `it ended with ${signal ?? code}`;
  return new WorkerStartError(`No worker could start: ${reason}.`);
}
