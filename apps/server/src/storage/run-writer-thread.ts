import { setPriority } from "node:os";
import { platform } from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import { type CallChange, callHere } from "./changes/call-change.ts";
import { openDatabase } from "./database/open-database.ts";
import type { Call, CallOutcome, ThreadOptions, ThreadReply, ThreadRequest } from "./run/thread-messages.ts";
import { packError } from "./run/thrown-error.ts";

/** A thread of this niceness gets a tenth of a core that the event loop also needs (docs/decisions.md has the figures). */
const niceness = 10;

if (parentPort === null) throw new Error("This file runs on a thread of its own.");
const port = parentPort;
// The cast is safe: only `createWriterThread` starts this file.
const { databaseUrl } = workerData as ThreadOptions;
lowerPriority();
const database = await openDatabase({ databaseUrl, hasOwnThread: true });
const change = callHere(database);

port.on("message", (request: ThreadRequest) => {
  if (request === "close") void close();
  else void runBatch(request);
});
send("open");

/** Linux gives each thread a niceness of its own. On other systems, this would be that of the process. */
function lowerPriority(): void {
  if (platform !== "linux") return;
  try {
    setPriority(niceness);
  } catch {
    // The system refuses it, as some containers do. The thread does the same with equal priorities.
  }
}

async function runBatch(calls: readonly Call[]): Promise<void> {
  // The casts are safe: the main thread calls each change with its own argument.
  const changes = calls.map(
    ({ name, argument }) =>
      async () =>
        change(...([name, argument] as unknown as Parameters<CallChange>)),
  );
  if (database.runBatch === undefined) throw new Error("The engine needs no thread to write.");
  send((await database.runBatch(changes)).map(toOutcome));
}

function toOutcome(outcome: PromiseSettledResult<unknown>): CallOutcome {
  return outcome.status === "fulfilled" ? { value: outcome.value } : { error: packError(outcome.reason) };
}

function send(reply: ThreadReply): void {
  port.postMessage(reply);
}

async function close(): Promise<void> {
  await database.close();
  port.close();
}
