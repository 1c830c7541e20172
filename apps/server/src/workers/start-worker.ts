import cluster, { type Worker } from "node:cluster";
import { slotVariable } from "./worker.ts";

/** How a worker ended: its exit code or a signal, or why the system could not start it. */
export type End = Readonly<{ code?: number | null; signal?: string | null; error?: unknown }>;

/** Starts a process, or says why the system could not. */
export function startWorker(slot: number): { readonly worker: Worker | undefined; readonly ended: Promise<End> } {
  try {
    const worker = cluster.fork({ [slotVariable]: String(slot) });
    unblockLog();
    const lastConnection = watchConnections(worker);
    const ended = new Promise<End>((resolve) => {
      worker.once("exit", (code, signal) => {
        lastConnection()?.close();
        resolve({ code, signal });
      });
      // If no process was started, no other event says so.
      worker.on("error", (error) => worker.process.pid === undefined && resolve({ error }));
    });
    return { worker, ended };
  } catch (error) {
    return { worker: undefined, ended: Promise.resolve({ error }) };
  }
}

/**
 * To start a process makes standard error blocking for all processes that share it, until the new one opens it. If
 * nobody reads the log, a worker that writes meanwhile would hang, and be killed. A terminal is not shared so. Node has
 * no public name for this.
 */
function unblockLog(): void {
  if (!process.stderr.isTTY) Reflect.get(process.stderr, "_handle")?.setBlocking?.(false);
}

/**
 * Returns what reads the last connection that a worker was sent. node:cluster keeps its own copy until the worker has
 * accepted it, and for ever if the worker dies before: the client would wait for an answer that never comes. To close
 * it a second time does nothing.
 */
function watchConnections({ process: child }: Worker): () => { close(): void } | undefined {
  let last: { close(): void } | undefined;
  const { send } = child;
  const sendAndNote = (message: { readonly act?: string }, connection: { close(): void }, ...others: unknown[]) => {
    if (message.act === "newconn") last = connection;
    return Reflect.apply(send, child, [message, connection, ...others]);
  };
  Object.assign(child, { send: sendAndNote });
  return () => last;
}
