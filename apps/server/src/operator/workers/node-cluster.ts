import type { Worker } from "node:cluster";
import { once } from "node:events";
import type { Cluster, ThisWorker, WorkerEnd, WorkerProcess } from "./cluster.ts";
import { beatIntervalMs } from "./heartbeat.ts";

/** The program file that a worker runs, and the words it is called with. */
interface WorkerProgram {
  readonly program: string;
  readonly commandLine: readonly string[];
}

const retireMessage = "retire";
const beatMessage = "beat";

/** Loads `node:cluster`, whose primary accepts the connections and hands each to the next worker in turn. */
export async function openNodeCluster({ program, commandLine }: WorkerProgram): Promise<Cluster> {
  const { default: cluster } = await import("node:cluster");
  return {
    self: cluster.worker === undefined ? undefined : toThisWorker(cluster.worker),
    fork(words) {
      // Otherwise it would run the file that Node was started with, which may only import this program.
      cluster.setupPrimary({ exec: program, args: [...commandLine, ...words] });
      try {
        return toWorkerProcess(cluster.fork());
      } catch (error) {
        return failedProcess(error);
      }
    },
  };
}

function toWorkerProcess(worker: Worker): WorkerProcess {
  const listening = Promise.withResolvers<number | undefined>();
  const ended = Promise.withResolvers<WorkerEnd>();
  let isListening = false;
  worker.once("listening", ({ port }) => {
    isListening = true;
    listening.resolve(port);
  });
  const end = (how: WorkerEnd) => {
    listening.resolve(undefined);
    ended.resolve(how);
  };
  // Such as a message to a process that has just ended. Where no process came to be, no end of it is told.
  worker.on("error", (error) => {
    if (worker.process.pid === undefined) end({ code: null, signal: null, error });
  });
  // The end of the process and of the channel to it.
  worker.process.once("close", (code, signal) => end({ code, signal }));
  closeWhatIsLost(worker);
  return {
    pid: worker.process.pid,
    listening: listening.promise,
    ended: ended.promise,
    onBeat: (listener) => void worker.on("message", (message) => message === beatMessage && listener()),
    retire: () => void (isListening ? worker.send(retireMessage) : worker.process.kill("SIGTERM")),
    kill: (signal) => void worker.process.kill(signal),
  };
}

/**
 * Node hands one connection at a time to a worker, and forgets one that the worker died over before it took it: it would
 * stay open with nobody to answer. Closed, its client knows.
 */
function closeWhatIsLost(worker: Worker): void {
  const { process } = worker;
  const send = process.send.bind(process);
  let handedOver: unknown;
  const watch: typeof send = (message: unknown, handle?: unknown, ...rest: unknown[]) => {
    if (isClosable(handle)) handedOver = handle;
    return Reflect.apply(send, process, [message, handle, ...rest]);
  };
  process.send = watch;
  process.once("close", () => {
    // A worker that left in order has sent back what it did not take.
    if (!worker.exitedAfterDisconnect && isClosable(handedOver)) handedOver.close();
  });
}

function isClosable(handle: unknown): handle is { close(): void } {
  return typeof handle === "object" && handle !== null && "close" in handle && typeof handle.close === "function";
}

function failedProcess(cause: unknown): WorkerProcess {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  return {
    pid: undefined,
    listening: Promise.resolve(undefined),
    ended: Promise.resolve({ code: null, signal: null, error }),
    onBeat: () => undefined,
    retire: () => undefined,
    kill: () => undefined,
  };
}

function toThisWorker(worker: Worker): ThisWorker {
  const retired = Promise.withResolvers<void>();
  const orphaned = Promise.withResolvers<void>();
  worker.on("message", (message) => {
    if (message === retireMessage) retired.resolve();
  });
  // Whatever cannot be told to a primary that is gone: that it is gone is heard of below.
  worker.on("error", () => undefined);
  worker.once("disconnect", () => {
    // Otherwise Node would end the process here, with requests under way.
    worker.exitedAfterDisconnect = true;
    orphaned.resolve();
  });
  startBeating(worker);
  return {
    retired: retired.promise,
    orphaned: orphaned.promise,
    async leave() {
      if (!worker.isConnected()) return;
      const left = once(worker, "disconnect");
      // Asks the primary first, so that a connection which is on its way arrives and is sent back.
      worker.disconnect();
      await left;
    },
  };
}

function startBeating(worker: Worker): void {
  let isSent = true;
  const beat = () => {
    // A primary that is stopped does not read: what waits for it must not grow.
    if (!isSent || !worker.isConnected()) return;
    isSent = false;
    worker.process.send?.(beatMessage, () => {
      isSent = true;
    });
  };
  beat();
  setInterval(beat, beatIntervalMs).unref();
}
