import { setPriority } from "node:os";
import { platform } from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import { callHere } from "./changes/call-change.ts";
import { openDatabase } from "./engine/database.ts";
import { packOutcome, type ThreadRequest } from "./engine/writer-thread.ts";

/** A thread of this niceness gets a tenth of a core that the event loop also needs (docs/decisions.md has the figures). */
const niceness = 10;

if (parentPort === null) throw new Error("This file runs on a thread of its own.");
const port = parentPort;
lowerPriority();
const database = await openDatabase({ databaseUrl: workerData, hasOwnThread: true });
// The cast is safe: the main thread calls each change by its name, with its own argument.
const change = callHere(database) as (name: string, argument: unknown) => Promise<unknown>;

port.on("message", (request: ThreadRequest) => void answer(request));
port.postMessage("open");

/** Linux gives each thread a niceness of its own. On other systems, this would be that of the process. */
function lowerPriority(): void {
  if (platform !== "linux") return;
  try {
    setPriority(niceness);
  } catch {
    // The system refuses it, as some containers do. The thread does the same with equal priorities.
  }
}

async function answer(request: ThreadRequest): Promise<void> {
  if (request === "close") {
    await database.close();
    port.close();
    return;
  }
  const changes = request.map(({ name, argument }) => change.bind(undefined, name, argument));
  if (database.runBlockingBatch === undefined) throw new Error("The engine needs no thread to write.");
  port.postMessage((await database.runBlockingBatch(changes)).map(packOutcome));
}
