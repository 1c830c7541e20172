import type { Snapshot } from "../../src/metrics/series.ts";
import type { Connection, WorkerEnd, WorkerProcess } from "../../src/workers/cluster.ts";

/** A worker without a process. It does at once what it is asked to, unless it hangs. */
export class FakeWorker implements WorkerProcess {
  readonly pid: number;
  readonly #listening = Promise.withResolvers<boolean>();
  readonly #ended = Promise.withResolvers<WorkerEnd>();
  readonly listening = this.#listening.promise;
  readonly ended = this.#ended.promise;
  readonly #left = Promise.withResolvers<void>();
  readonly left = this.#left.promise;
  /** The connections that it was sent, and how it answers for each. */
  readonly sent: { connection: Connection; resolve: (isTaken: boolean) => void }[] = [];
  readonly pending = { count: 0 };
  readonly signals: string[] = [];
  isRunning = true;
  #isHanging = false;
  #onBeat: () => void = () => undefined;
  #onMetrics: (snapshot: Snapshot) => void = () => undefined;
  /** What it has measured, which it reports when it is asked. */
  measured: Snapshot = [];

  constructor(pid: number) {
    this.pid = pid;
  }

  listen(): void {
    this.#listening.resolve(true);
  }

  send(connection: Connection): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.sent.push({ connection, resolve });
    this.pending.count += 1;
    return promise.finally(() => {
      this.pending.count -= 1;
    });
  }

  onBeat(listener: () => void): void {
    this.#onBeat = listener;
  }

  onLeaseRequest(): void {
    // It answers no requests, so it asks for no tokens.
  }

  askForMetrics(): void {
    if (!this.#isHanging) this.#onMetrics(this.measured);
  }

  onMetrics(listener: (snapshot: Snapshot) => void): void {
    this.#onMetrics = listener;
  }

  beat(): void {
    this.#onBeat();
  }

  hang(): void {
    this.#isHanging = true;
  }

  retire(): void {
    if (!this.#isHanging) this.kill("SIGTERM");
  }

  kill(signal: "SIGTERM" | "SIGKILL"): void {
    this.signals.push(signal);
    this.isRunning = false;
    this.#listening.resolve(false);
    this.#left.resolve();
    for (const { resolve } of this.sent) resolve(false);
    this.#ended.resolve({ code: 0, signal: null });
  }
}
