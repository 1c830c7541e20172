import { setTimeout as sleep } from "node:timers/promises";
import { createHttpClient } from "../client/http-client.ts";
import type { Probed } from "../client/probe.ts";
import { percentile } from "../percentile.ts";

const websites = "/api/v1/websites";
const pauseMs = 20;

/** Starts a client that updates one website of its account again and again until it is stopped. */
export async function startCalmChanges(url: string, apiKey: string): Promise<{ stop: () => Promise<Probed> }> {
  const timesMs: number[] = [];
  let failed = 0;
  let isStopped = false;
  const client = createHttpClient(url, { connections: 1 });
  const created = await client.send("POST", websites, { apiKey, body: { domain: `calm-${Date.now()}.example.com` } });
  const { id } = JSON.parse(created.text).data;
  const work = (async () => {
    for (let count = 0; !isStopped; count += 1) {
      const startedAtMs = performance.now();
      const body = { email: count % 2 };
      const answer = await client.send("PUT", `${websites}/${id}`, { apiKey, body }).catch(() => undefined);
      timesMs.push(performance.now() - startedAtMs);
      if (answer?.status !== 200) failed += 1;
      await sleep(pauseMs);
    }
  })();
  return {
    stop: async () => {
      isStopped = true;
      await work;
      client[Symbol.dispose]();
      return { count: timesMs.length, failed, medianMs: percentile(timesMs, 50), p99Ms: percentile(timesMs, 99) };
    },
  };
}
