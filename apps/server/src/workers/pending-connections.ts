import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import type { MessageToWorker } from "./channel-messages.ts";

/** The connections that were sent to one worker, and that it has not answered for yet. */
export class PendingConnections {
  readonly #child: ChildProcess;
  readonly #onUnreachable: () => void;
  /** Settles each of these connections. The keys are their numbers, oldest first. */
  readonly #pending = new Map<number, (isTaken: boolean) => void>();
  #lastNumber = 0;
  #lastEcho = 0;

  /** @param onUnreachable called if the channel is closed, before the connection that found this out is settled */
  constructor(child: ChildProcess, onUnreachable: () => void) {
    this.#child = child;
    this.#onUnreachable = onUnreachable;
  }

  get count(): number {
    return this.#pending.size;
  }

  /**
   * Sends a connection to the worker.
   *
   * @returns `false` if the worker did not read from it, so that another worker can
   */
  send(socket: Socket): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    this.#pending.set(number, resolve);
    // The connection stays open here too. If the worker dies before it accepts the connection, another worker can.
    this.#child.send({ kind: "connection", number } satisfies MessageToWorker, socket, { keepOpen: true }, (error) => {
      if (error === null) return;
      this.#onUnreachable();
      this.settle(number, false);
    });
    return promise;
  }

  settle(number: number, isTaken: boolean): void {
    this.#pending.get(number)?.(isTaken);
    this.#pending.delete(number);
  }

  /** Called if the worker will answer for none of them. */
  refuseAll(): void {
    this.#refuseUpTo(this.#lastNumber);
  }

  /**
   * Called for each beat of the worker. The system drops a connection that is sent to a process without a free file
   * descriptor. So if the worker is alive and has not answered for all connections, it is asked for an echo.
   */
  noteBeat(): void {
    if (this.#pending.size === 0 || this.#lastEcho === this.#lastNumber) return;
    this.#lastEcho = this.#lastNumber;
    this.#child.send({ kind: "echo", number: this.#lastNumber } satisfies MessageToWorker, () => undefined);
  }

  /** Called if the worker has answered for every connection up to this number that reached it. */
  noteEcho(number: number): void {
    this.#refuseUpTo(number);
  }

  #refuseUpTo(last: number): void {
    for (const number of this.#pending.keys()) {
      if (number > last) return;
      this.settle(number, false);
    }
  }
}
