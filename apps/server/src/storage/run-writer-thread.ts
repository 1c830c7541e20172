import { setPriority } from "node:os";
import { nextTick, platform } from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import { type CallChange, callHere } from "./changes/call-change.ts";
import { openDatabase } from "./database/open-database.ts";
import type { Call, CallResult, ThreadOptions, ThreadReply, ThreadRequest } from "./run/thread-messages.ts";
import { packError } from "./run/thrown-error.ts";

/** A thread of this niceness gets a tenth of a core that the event loop also needs (docs/decisions.md has the figures). */
const niceness = 10;

if (parentPort === null) throw new Error("This file runs on a thread of its own.");
const port = parentPort;
// The cast is safe: only `startWriterThread` starts this file.
const { databaseUrl } = workerData as ThreadOptions;
lowerPriority();
const database = await openDatabase({ databaseUrl, hasOwnThread: true, mustExist: true });
const change = callHere(database);
const running = new Set<Promise<void>>();
let results: CallResult[] = [];

port.on("message", (request: ThreadRequest) => {
  if (request === "close") void close();
  else for (const call of request) start(call);
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

function start(call: Call): void {
  const ended = run(call).then((result) => {
    running.delete(ended);
    // All calls of a group end together, and this runs after all of them.
    if (results.push(result) === 1) nextTick(sendResults);
  });
  running.add(ended);
}

async function run({ id, name, argument, accountId }: Call): Promise<CallResult> {
  try {
    // The cast is safe: the main thread calls each change with its own argument.
    return { id, value: await change(...([name, argument, accountId] as unknown as Parameters<CallChange>)) };
  } catch (thrown) {
    return { id, error: packError(thrown) };
  }
}

function sendResults(): void {
  send(results);
  results = [];
}

function send(reply: ThreadReply): void {
  port.postMessage(reply);
}

async function close(): Promise<void> {
  await Promise.all(running);
  await database.close();
  // After the results of the last calls, which are sent in the same way.
  nextTick(() => port.close());
}
