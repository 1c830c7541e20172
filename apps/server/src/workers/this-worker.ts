import { Socket } from "node:net";
import type { ToPrimary, ToWorker } from "./channel.ts";
import type { ThisWorker } from "./cluster.ts";
import { beatIntervalMs } from "./heartbeat.ts";

/** Sees this process as a worker of the process that forked it. */
export function toThisWorker(self: NodeJS.Process): ThisWorker {
  const retired = Promise.withResolvers<void>();
  const orphaned = Promise.withResolvers<void>();
  let onConnection: ((socket: Socket) => void) | undefined;
  const take = (number: number, socket: Socket) => {
    say(self, { kind: onConnection === undefined ? "refused" : "taken", number });
    if (onConnection === undefined) socket.destroy();
    else onConnection(socket);
  };
  self.on("message", (received, handle) => {
    // The primary runs this program, which sends nothing else.
    const message = received as ToWorker;
    if (message.kind === "echo") say(self, message);
    else if (message.kind === "retire") retired.resolve();
    else if (handle instanceof Socket) take(message.number, handle);
    // The primary closed it on the way.
    else say(self, { kind: "taken", number: message.number });
  });
  self.once("disconnect", orphaned.resolve);
  return {
    connections: {
      start(listener) {
        onConnection = listener;
        say(self, { kind: "ready" });
        // Not before: to open a database can block for long, and the primary has a time limit of its own for the start.
        startBeating(self);
      },
      stop() {
        onConnection = undefined;
        say(self, { kind: "left" });
      },
    },
    retired: retired.promise,
    orphaned: orphaned.promise,
    leave() {
      if (self.connected) self.disconnect();
    },
  };
}

function startBeating(self: NodeJS.Process): void {
  let isSaid = true;
  const beat = () => {
    // A primary that is stopped does not read: what waits for it must not grow.
    if (!isSaid) return;
    isSaid = false;
    say(self, { kind: "beat" }, () => {
      isSaid = true;
    });
  };
  beat();
  setInterval(beat, beatIntervalMs).unref();
}

/** Says something to the primary, unless it is gone: that is heard of by itself. */
function say(self: NodeJS.Process, message: ToPrimary, onSaid: () => void = () => undefined): void {
  if (self.connected) self.send?.(message, undefined, undefined, onSaid);
}
