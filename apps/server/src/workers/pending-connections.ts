import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import type { MessageToWorker } from "./channel-messages.ts";

/** The connections on the way to one worker. */
export class PendingConnections {
  readonly #child: ChildProcess;
  readonly #onUnreachable: () => void;
  /** What settles each connection that the worker has not answered for, by number, oldest first. */
  readonly #pending = new Map<number, (isTaken: boolean) => void>();
  #lastNumber = 0;
  #lastEcho = 0;

  /** @param onUnreachable called if the channel is closed, before the connection that found that out is settled */
  constructor(child: ChildProcess, onUnreachable: () => void) {
    this.#child = child;
    this.#onUnreachable = onUnreachable;
  }

  /** @returns `false` if the worker did not read from it, so that another can */
  send(socket: Socket): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    this.#pending.set(number, resolve);
    // It stays open here as well: if the worker dies before it takes the connection, another worker can.
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

  /** The worker will answer for none of them. */
  refuseAll(): void {
    this.#refuseUpTo(this.#lastNumber);
  }

  /**
   * The system drops a connection on the way to a process that has no file descriptor left. So if the worker lives and has not
   * answered for all of them, it is asked for an echo.
   */
  noteBeat(): void {
    if (this.#pending.size === 0 || this.#lastEcho === this.#lastNumber) return;
    this.#lastEcho = this.#lastNumber;
    this.#child.send({ kind: "echo", number: this.#lastNumber } satisfies MessageToWorker, () => undefined);
  }

  /** The worker has answered for every connection up to this number that reached it. */
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
