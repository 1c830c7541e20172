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

/** Returns the primary's view of a process that was forked as a worker. */
export function toWorkerProcess(child: ChildProcess): WorkerProcess {
  const listening = Promise.withResolvers<boolean>();
  const left = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<WorkerEnd>();
  const pending = new PendingConnections(child, left.resolve);
  let onBeat: () => void = () => undefined;
  let answerLeases: Parameters<WorkerProcess["onLeaseRequest"]>[0] = () => ({ grants: [] });
  let isListening = false;
  const send = (message: MessageToWorker) => void child.send(message, () => undefined);
  const receive = (message: MessageToPrimary) => {
    switch (message.kind) {
      case "taken":
        return pending.settle(message.number, true);
      case "refused":
        return pending.settle(message.number, false);
      case "echo":
        return pending.noteEcho(message.number);
      case "beat":
        pending.noteBeat();
        return onBeat();
      case "leases":
        return send({ kind: "leases", answer: answerLeases(message.request) });
      case "ready":
        isListening = true;
        return listening.resolve(true);
      case "left":
        return left.resolve();
    }
  };
  // The process runs this program, which sends nothing else.
  child.on("message", (message) => receive(message as MessageToPrimary));
  const end = (how: WorkerEnd) => {
    listening.resolve(false);
    left.resolve();
    ended.resolve(how);
    // Node has emitted every message of the worker by now.
    pending.refuseAll();
  };
  // For example, if a message is sent to a process that has just ended. If no process was started, no other event says
  // so.
  child.on("error", (error) => {
    if (child.pid === undefined) end({ code: null, signal: null, error });
  });
  // The process can live on without the channel, but not accept connections. Node does not emit this event while a
  // connection is being sent.
  child.once("disconnect", left.resolve);
  // The process and the channel to it have ended.
  child.once("close", (code, signal) => end({ code, signal }));
  return {
    pid: child.pid,
    listening: listening.promise,
    left: left.promise,
    ended: ended.promise,
    pending,
    // A connection of another kind of cluster cannot be sent.
    send: (connection) =>
      connection instanceof SocketConnection ? pending.send(connection.socket) : Promise.resolve(false),
    onBeat: (listener) => {
      onBeat = listener;
    },
    onLeaseRequest: (answer) => {
      answerLeases = answer;
    },
    retire: () => void (isListening ? send({ kind: "retire" }) : child.kill("SIGTERM")),
    kill: (signal) => void child.kill(signal),
  };
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
    retire: () => undefined,
    kill: () => undefined,
  };
}
