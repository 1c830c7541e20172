import type { MeasuredProcesses, Snapshot } from "../metrics/series.ts";
import type { WorkerProcess } from "./cluster.ts";

/** How long a scrape waits for a worker. Prometheus waits 10 seconds for the scrape by default. */
const maxWaitMs = 1_000;

/** A worker that has not ended. */
interface LiveWorker {
  /** What it reported last. */
  last: Snapshot;
  /** Whether it serves. Before, it cannot answer. */
  isListening: boolean;
  /** Whether it has answered the last question. */
  answered: PromiseWithResolvers<boolean> | undefined;
}

/** Collects what workers measure. */
export class WorkerMetrics {
  readonly #onEnd: (last: Snapshot) => void;
  readonly #maxWaitMs: number;
  readonly #live = new Map<WorkerProcess, LiveWorker>();

  /** @param onEnd called with the last report of a worker that has ended. It is in no later result of `collect`. */
  constructor(onEnd: (last: Snapshot) => void, waitMs = maxWaitMs) {
    this.#onEnd = onEnd;
    this.#maxWaitMs = waitMs;
  }

  watch(worker: WorkerProcess): void {
    const live: LiveWorker = { last: [], isListening: false, answered: undefined };
    this.#live.set(worker, live);
    worker.onMetrics((snapshot) => {
      live.last = snapshot;
      live.answered?.resolve(true);
    });
    void worker.listening.then((isListening) => {
      live.isListening = isListening;
    });
    void worker.ended.then(() => {
      this.#live.delete(worker);
      live.answered?.resolve(true);
      this.#onEnd(live.last);
    });
  }

  /** Asks every worker that serves. */
  async collect(): Promise<MeasuredProcesses> {
    const workers = [...this.#live];
    const answers = await Promise.all(workers.map(([worker, live]) => this.#ask(worker, live)));
    const lastOf = (isAnswered: boolean) =>
      workers.flatMap(([, { last }], index) => (answers[index] === isAnswered ? [last] : []));
    return { snapshots: lastOf(true), late: lastOf(false) };
  }

  async #ask(worker: WorkerProcess, live: LiveWorker): Promise<boolean> {
    if (!live.isListening) return true;
    const answered = Promise.withResolvers<boolean>();
    live.answered = answered;
    const timer = setTimeout(() => answered.resolve(false), this.#maxWaitMs);
    worker.askForMetrics();
    const isAnswered = await answered.promise;
    clearTimeout(timer);
    return isAnswered;
  }
}
