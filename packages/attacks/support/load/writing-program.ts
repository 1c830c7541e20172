import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { createHttpClient } from "../client/http-client.ts";
import type { WritingOptions, Written } from "./start-writing.ts";

// The cast is safe: only `startWriting` starts this file.
const { url, apiKey, writers, name } = workerData as WritingOptions;
/** A lone writer without a pause would always come right after a group. */
const pauseMs = 5;
const timesMs: number[] = [];
let [isStopped, failed] = [false, 0];
parentPort?.once("message", () => {
  isStopped = true;
});
using client = createHttpClient(url, { connections: writers });
// Node accepts one connection in each turn of its event loop.
await forEachWriter(() => client.send("GET", "/healthz"));
parentPort?.postMessage("open");
await forEachWriter(write);
parentPort?.postMessage({ timesMs, failed } satisfies Written);

async function forEachWriter(run: (index: number) => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: writers }, (_, index) => run(index)));
}

async function write(index: number): Promise<void> {
  for (let count = 0; !isStopped; count += 1) {
    const body = { domain: `${name}-${index}-${count}.example.com` };
    const startedAtMs = performance.now();
    const answer = await client.send("POST", "/api/v1/websites", { apiKey, body }).catch(() => undefined);
    timesMs.push(performance.now() - startedAtMs);
    if (answer?.status !== 201) failed += 1;
    if (writers === 1) await sleep(pauseMs);
  }
}
