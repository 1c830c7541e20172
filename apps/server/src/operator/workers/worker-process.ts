import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { toPrimary, toWorker } from "./channel.ts";
import type { Connection, WorkerEnd, WorkerProcess } from "./cluster.ts";

/** A connection as Node's channel takes it. */
export class SocketConnection implements Connection {
  readonly socket: Socket;

  constructor(socket: Socket) {
    this.socket = socket;
    // Nobody reads from it here; whoever does hears of its errors.
    socket.on("error", () => undefined);
  }

  close(): void {
    this.socket.destroy();
  }
}

/** Sees a process that was forked as a worker. */
export function toWorkerProcess(child: ChildProcess): WorkerProcess {
  const listening = Promise.withResolvers<boolean>();
  const left = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<WorkerEnd>();
  const handOver = new HandOver(child);
  let isListening = false;
  const listeners: Readonly<Record<string, () => void>> = {
    [toPrimary.ready]: () => {
      isListening = true;
      listening.resolve(true);
    },
    [toPrimary.left]: left.resolve,
    [toPrimary.taken]: () => handOver.settle(true),
    [toPrimary.refused]: () => handOver.settle(false),
    [toPrimary.beat]: () => handOver.noteBeat(),
  };
  child.on("message", (message) => {
    if (typeof message === "number") handOver.noteEcho(message);
    else listeners[String(message)]?.();
  });
  const end = (how: WorkerEnd) => {
    listening.resolve(false);
    left.resolve();
    ended.resolve(how);
    // Node has told all that the worker had said.
    handOver.settle(false);
  };
  // Such as a message to a process that has just ended. Where no process came to be, no end of it is told.
  child.on("error", (error) => {
    if (child.pid === undefined) end({ code: null, signal: null, error });
  });
  // It can live on without the channel, but not take connections.
  child.once("disconnect", left.resolve);
  // The end of the process and of the channel to it.
  child.once("close", (code, signal) => end({ code, signal }));
  return {
    pid: child.pid,
    listening: listening.promise,
    left: left.promise,
    ended: ended.promise,
    take: (connection) => handOver.begin(connection),
    onBeat: (listener) => void child.on("message", (message) => message === toPrimary.beat && listener()),
    retire: () => void (isListening ? child.send(toWorker.retire, () => undefined) : child.kill("SIGTERM")),
    kill: (signal) => void child.kill(signal),
  };
}

/** The worker of which the system could not start the process. */
export function failedWorkerProcess(cause: unknown): WorkerProcess {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  return {
    pid: undefined,
    listening: Promise.resolve(false),
    left: Promise.resolve(),
    ended: Promise.resolve({ code: null, signal: null, error }),
    take: () => Promise.resolve(false),
    onBeat: () => undefined,
    retire: () => undefined,
    kill: () => undefined,
  };
}

/** The handing over of one connection after the other to a worker. */
class HandOver {
  readonly #child: ChildProcess;
  #settle: ((isTaken: boolean) => void) | undefined;
  #number = 0;
  #askedNumber = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
  }

  begin(connection: Connection): Promise<boolean> {
    // One that is not of this cluster cannot be sent.
    if (!(connection instanceof SocketConnection)) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#settle = resolve;
    this.#number += 1;
    // It stays open here as well: if the worker dies before it has taken it, another can.
    this.#child.send(toWorker.connection, connection.socket, { keepOpen: true }, (error) => {
      if (error !== null) this.settle(false);
    });
    return promise;
  }

  settle(isTaken: boolean): void {
    this.#settle?.(isTaken);
    this.#settle = undefined;
  }

  /**
   * The system drops a connection on the way to a process that has no file descriptor left. So a worker that lives and has
   * not answered is sent a number, which it says back after all that came before.
   */
  noteBeat(): void {
    if (this.#settle === undefined || this.#askedNumber === this.#number) return;
    this.#askedNumber = this.#number;
    this.#child.send(this.#number, () => undefined);
  }

  noteEcho(number: number): void {
    if (number === this.#number) this.settle(false);
  }
}
