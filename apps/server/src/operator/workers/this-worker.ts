import { Socket } from "node:net";
import { toPrimary, toWorker } from "./channel.ts";
import type { ThisWorker } from "./cluster.ts";
import { beatIntervalMs } from "./heartbeat.ts";

/** Sees this process as a worker of the process that forked it. */
export function toThisWorker(self: NodeJS.Process): ThisWorker {
  const retired = Promise.withResolvers<void>();
  const orphaned = Promise.withResolvers<void>();
  let onConnection: ((socket: Socket) => void) | undefined;
  const take = (socket: Socket) => {
    say(self, onConnection === undefined ? toPrimary.refused : toPrimary.taken);
    if (onConnection === undefined) socket.destroy();
    else onConnection(socket);
  };
  self.on("message", (message, handle) => {
    if (typeof message === "number") say(self, message);
    if (message === toWorker.retire) retired.resolve();
    if (message !== toWorker.connection) return;
    if (handle instanceof Socket) take(handle);
    // It was closed on the way.
    else say(self, toPrimary.taken);
  });
  self.once("disconnect", orphaned.resolve);
  startBeating(self);
  return {
    connections: {
      start(listener) {
        onConnection = listener;
        say(self, toPrimary.ready);
      },
      stop() {
        onConnection = undefined;
        say(self, toPrimary.left);
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
    say(self, toPrimary.beat, () => {
      isSaid = true;
    });
  };
  beat();
  setInterval(beat, beatIntervalMs).unref();
}

/** Says something to the primary, unless it is gone: that is heard of by itself. */
function say(self: NodeJS.Process, message: string | number, onSaid: () => void = () => undefined): void {
  if (self.connected) self.send?.(message, undefined, undefined, onSaid);
}
