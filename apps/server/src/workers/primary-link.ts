import { Socket } from "node:net";
import type { MessageToPrimary, MessageToWorker } from "./channel-messages.ts";
import type { PrimaryLink } from "./cluster.ts";
import { beatIntervalMs } from "./heartbeat.ts";

/** Opens the worker's side of the channel to the process that forked it. */
export function openPrimaryLink(worker: NodeJS.Process): PrimaryLink {
  const retired = Promise.withResolvers<void>();
  const orphaned = Promise.withResolvers<void>();
  let onConnection: ((socket: Socket) => void) | undefined;
  const take = (number: number, socket: Socket) => {
    say(worker, { kind: onConnection === undefined ? "refused" : "taken", number });
    if (onConnection === undefined) socket.destroy();
    else onConnection(socket);
  };
  worker.on("message", (received, handle) => {
    // The primary runs this program, which sends nothing else.
    const message = received as MessageToWorker;
    if (message.kind === "echo") say(worker, message);
    else if (message.kind === "retire") retired.resolve();
    else if (handle instanceof Socket) take(message.number, handle);
    // The primary closed it on the way.
    else say(worker, { kind: "taken", number: message.number });
  });
  worker.once("disconnect", orphaned.resolve);
  return {
    connections: {
      start(listener) {
        onConnection = listener;
        say(worker, { kind: "ready" });
        // Not before: to open a database can block for long, and the primary has a time limit of its own for the start.
        startBeating(worker);
      },
      stop() {
        onConnection = undefined;
        say(worker, { kind: "left" });
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
  let isSaid = true;
  const beat = () => {
    // A primary that is stopped does not read: what waits for it must not grow.
    if (!isSaid) return;
    isSaid = false;
    say(worker, { kind: "beat" }, () => {
      isSaid = true;
    });
  };
  beat();
  setInterval(beat, beatIntervalMs).unref();
}

/** Says something to the primary, unless it is gone: that is heard of by itself. */
function say(worker: NodeJS.Process, message: MessageToPrimary, onSaid: () => void = () => undefined): void {
  if (worker.connected) worker.send?.(message, undefined, undefined, onSaid);
}
