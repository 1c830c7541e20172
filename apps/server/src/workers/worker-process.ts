import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import type { MessageToPrimary, MessageToWorker } from "./channel-messages.ts";
import type { Connection, WorkerEnd, WorkerProcess } from "./cluster.ts";
import { PendingConnections } from "./pending-connections.ts";

/** A connection that can be sent over Node's channel. */
export class SocketConnection implements Connection {
  readonly socket: Socket;

  constructor(socket: Socket) {
    this.socket = socket;
    // This process does not read from it. The worker that does handles its errors.
    socket.on("error", () => undefined);
  }

  close(): void {
    this.socket.destroy();
  }
}

/** A process that was forked as a worker. */
export class ForkedWorker implements WorkerProcess {
  readonly pid: number | undefined;
  readonly pending: PendingConnections;
  readonly #child: ChildProcess;
  readonly #listening = Promise.withResolvers<boolean>();
  readonly #left = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<WorkerEnd>();
  #isListening = false;
  #onBeat: () => void = () => undefined;
  #onMetrics: Parameters<WorkerProcess["onMetrics"]>[0] = () => undefined;
  #answerLeases: Parameters<WorkerProcess["onLeaseRequest"]>[0] = () => ({ grants: [] });

  constructor(child: ChildProcess) {
    this.pid = child.pid;
    this.pending = new PendingConnections(child, this.#left.resolve);
    this.#child = child;
    // The process runs this program, which sends nothing else.
    child.on("message", (message) => this.#receive(message as MessageToPrimary));
    // For example, if a message is sent to a process that has just ended. If no process was started, no other event says
    // so.
    child.on("error", (error) => {
      if (child.pid === undefined) this.#end({ code: null, signal: null, error });
    });
    // The process can live on without the channel, but not accept connections. Node does not emit this event while a
    // connection is being sent.
    child.once("disconnect", this.#left.resolve);
    // The process and the channel to it have ended.
    child.once("close", (code, signal) => this.#end({ code, signal }));
  }

  get listening(): Promise<boolean> {
    return this.#listening.promise;
  }

  get left(): Promise<void> {
    return this.#left.promise;
  }

  get ended(): Promise<WorkerEnd> {
    return this.#ended.promise;
  }

  send(connection: Connection): Promise<boolean> {
    // A connection of another kind of cluster cannot be sent.
    return connection instanceof SocketConnection ? this.pending.send(connection.socket) : Promise.resolve(false);
  }

  onBeat(listener: () => void): void {
    this.#onBeat = listener;
  }

  onLeaseRequest(answer: Parameters<WorkerProcess["onLeaseRequest"]>[0]): void {
    this.#answerLeases = answer;
  }

  askForMetrics(): void {
    this.#send({ kind: "metrics" });
  }

  onMetrics(listener: Parameters<WorkerProcess["onMetrics"]>[0]): void {
    this.#onMetrics = listener;
  }

  retire(): void {
    if (this.#isListening) this.#send({ kind: "retire" });
    else this.#child.kill("SIGTERM");
  }

  kill(signal: "SIGTERM" | "SIGKILL"): void {
    this.#child.kill(signal);
  }

  #send(message: MessageToWorker): void {
    this.#child.send(message, () => undefined);
  }

  #receive(message: MessageToPrimary) {
    switch (message.kind) {
      case "taken":
        return this.pending.settle(message.number, true);
      case "refused":
        return this.pending.settle(message.number, false);
      case "echo":
        return this.pending.noteEcho(message.number);
      case "beat":
        this.pending.noteBeat();
        return this.#onBeat();
      case "leases":
        return this.#send({ kind: "leases", answer: this.#answerLeases(message.request) });
      case "metrics":
        return this.#onMetrics(message.snapshot);
      case "ready":
        this.#isListening = true;
        return this.#listening.resolve(true);
      case "left":
        return this.#left.resolve();
    }
  }

  #end(how: WorkerEnd): void {
    this.#listening.resolve(false);
    this.#left.resolve();
    this.#ended.resolve(how);
    // Node has emitted every message of the worker by now.
    this.pending.refuseAll();
  }
}

/** Returns a worker whose process the system could not start. */
export function failedWorkerProcess(cause: unknown): WorkerProcess {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  return {
    pid: undefined,
    listening: Promise.resolve(false),
    left: Promise.resolve(),
    ended: Promise.resolve({ code: null, signal: null, error }),
    pending: { count: 0 },
    send: () => Promise.resolve(false),
    onBeat: () => undefined,
    onLeaseRequest: () => undefined,
    askForMetrics: () => undefined,
    onMetrics: () => undefined,
    retire: () => undefined,
    kill: () => undefined,
  };
}
