import { Socket } from "node:net";
import type { MessageToPrimary, MessageToWorker } from "./channel-messages.ts";
import type { LeaseLink, PrimaryLink } from "./cluster.ts";
import { beatIntervalMs } from "./heartbeat-monitor.ts";

/** Opens the worker's side of the channel to the process that forked it. */
export function openPrimaryLink(worker: NodeJS.Process): PrimaryLink {
  const retired = Promise.withResolvers<void>();
  const orphaned = Promise.withResolvers<void>();
  let onLeases: Parameters<LeaseLink["onAnswer"]>[0] = () => undefined;
  let onAskForMetrics: () => void = () => undefined;
  let onConnection: ((socket: Socket) => void) | undefined;
  const take = (number: number, socket: Socket) => {
    sendMessage(worker, { kind: onConnection === undefined ? "refused" : "taken", number });
    if (onConnection === undefined) socket.destroy();
    else onConnection(socket);
  };
  worker.on("message", (received, handle) => {
    // The primary runs this program, which sends nothing else.
    const message = received as MessageToWorker;
    if (message.kind === "echo") sendMessage(worker, message);
    else if (message.kind === "retire") retired.resolve();
    else if (message.kind === "leases") onLeases(message.answer);
    else if (message.kind === "metrics") onAskForMetrics();
    else if (handle instanceof Socket) take(message.number, handle);
    // The primary closed the connection while it was sent.
    else sendMessage(worker, { kind: "taken", number: message.number });
  });
  worker.once("disconnect", orphaned.resolve);
  return {
    connections: {
      start(listener) {
        onConnection = listener;
        sendMessage(worker, { kind: "ready" });
        // Not earlier: opening a database can block for long, and the primary has its own time limit for the start.
        startBeating(worker);
      },
      stop() {
        onConnection = undefined;
        sendMessage(worker, { kind: "left" });
      },
    },
    leases: {
      send: (request) => sendMessage(worker, { kind: "leases", request }),
      onAnswer: (listener) => {
        onLeases = listener;
      },
    },
    metrics: {
      send: (snapshot) =>
        new Promise((resolve) => {
          if (worker.connected) sendMessage(worker, { kind: "metrics", snapshot }, resolve);
          else resolve();
        }),
      onAsk: (listener) => {
        onAskForMetrics = listener;
      },
    },
    retired: retired.promise,
    orphaned: orphaned.promise,
    leave() {
      if (worker.connected) worker.disconnect();
    },
  };
}

function startBeating(worker: NodeJS.Process): void {
  let isSent = true;
  const beat = () => {
    // A primary that is stopped does not read, and what waits for it must not grow.
    if (!isSent) return;
    isSent = false;
    sendMessage(worker, { kind: "beat" }, () => {
      isSent = true;
    });
  };
  beat();
  setInterval(beat, beatIntervalMs).unref();
}

/** Sends a message to the primary, unless it is gone. The event `disconnect` reports that. */
function sendMessage(worker: NodeJS.Process, message: MessageToPrimary, onSent: () => void = () => undefined): void {
  if (worker.connected) worker.send?.(message, undefined, undefined, onSent);
}
