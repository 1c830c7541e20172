import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { createHttpClient } from "../client/http-client.ts";
import type { WritingOptions, Written } from "./start-writing.ts";

// The cast is safe: only `startWriting` starts this file.
const { url, apiKey, writers, name, fields } = workerData as WritingOptions;
/** A lone writer without a pause would always come right after a group. */
const pauseMs = 5;
const [timesMs, createdAtMs]: [number[], number[]] = [[], []];
let [isStopped, hasLeft, failed, refused] = [false, false, 0, 0];
parentPort?.once("message", (how) => {
  isStopped = true;
  hasLeft = how === "leave";
  if (hasLeft) client[Symbol.dispose]();
});
using client = createHttpClient(url, { connections: writers });
// Node accepts one connection in each turn of its event loop.
await forEachWriter(() => client.send("GET", "/healthz"));
parentPort?.postMessage("open");
await forEachWriter(write);
parentPort?.postMessage({ timesMs, createdAtMs, failed, refused } satisfies Written);

async function forEachWriter(run: (index: number) => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: writers }, (_, index) => run(index)));
}

async function write(index: number): Promise<void> {
  for (let count = 0; !isStopped; count += 1) {
    const body = { domain: `${name}-${index}-${count}.example.com`, ...fields };
    const startedAtMs = performance.now();
    const answer = await client.send("POST", "/api/v1/websites", { apiKey, body }).catch(() => undefined);
    if (hasLeft && answer === undefined) return;
    timesMs.push(performance.now() - startedAtMs);
    if (answer?.status === 201) createdAtMs.push(performance.timeOrigin + performance.now());
    else failed += 1;
    if (answer?.status === 503 && answer.headers.has("retry-after")) refused += 1;
    if (writers === 1) await sleep(pauseMs);
  }
}
