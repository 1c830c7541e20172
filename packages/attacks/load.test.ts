import { setTimeout as sleep } from "node:timers/promises";
import { engineNames } from "@siteward/testing/engines/database";
import { readMainThreadMs } from "@siteward/testing/process-tree";
import { createRandom } from "@siteward/testing/random";
import { startServer } from "@siteward/testing/servers/start-server";
import { expect, test } from "vitest";
import { report, rounds, seed } from "./support/attack.ts";
import { expensiveRequests } from "./support/bytes/expensive-requests.ts";
import { maxBytes } from "./support/bytes/fill.ts";
import { expectUndisturbed, noticedMs, probeFor, probeWhile, showP99 } from "./support/client/probe.ts";
import { crowd } from "./support/load/crowd.ts";
import { openHeldTime } from "./support/load/held-time.ts";
import { overload } from "./support/load/overload.ts";
import { startWriting } from "./support/load/start-writing.ts";
import { percentile } from "./support/percentile.ts";
import { createTwoAccounts } from "./support/two-accounts.ts";
import { toMegabytes, watchMemory } from "./support/watch-memory.ts";

const accountPath = "/api/v1/account";

test.for(engineNames)("no request of 64 KiB delays other requests by more than 10 ms, on %s", async (engine) => {
  await using database = await createTwoAccounts(engine);
  await using server = await startServer(database.url);
  using heldTime = await openHeldTime(server.port, server.processId);
  // Twice the promise: the same request took 4 ms on a quiet machine and 10.5 ms on a busy one that was half as fast.
  const limits = { tries: rounds(12), maxMs: 20 };
  const slow: string[] = [];
  let worst = { bytes: "", heldMs: 0 };
  for (const bytes of expensiveRequests) {
    const sent = Buffer.from(bytes.replace("{key}", database.account.apiKey), "latin1");
    const { heldMs, answer } = await heldTime.measure(sent, limits);
    // It must be an answer to a body that was read, and at most as large as a body may be.
    const isFit =
      answer !== undefined && answer.status < 500 && answer.status !== 413 && answer.text.length <= maxBytes;
    if (!isFit || heldMs > limits.maxMs) slow.push(`${answer?.status} after ${heldMs} ms: ${bytes.slice(0, 400)}`);
    if (heldMs > worst.heldMs) worst = { bytes, heldMs };
  }
  expect(slow).toEqual([]);
  report({ requests: expensiveRequests.length, longest: `${worst.heldMs.toFixed(1)} ms` });
});

test.for(engineNames)(
  "under ten times its capacity, the server answers or refuses every request, and recovers within 5 s, on %s",
  async (engine) => {
    await using database = await createTwoAccounts(engine);
    await using server = await startServer(database.url);
    const { apiKey } = database.account;
    const read = { path: accountPath, apiKey };
    const memory = watchMemory(server.processId);
    // The server reaches its highest throughput with about 64 requests in progress.
    const [connections, durationMs] = [640, rounds(2) * 1_000];
    const seen = await overload({ url: server.url, apiKey, random: createRandom(seed), connections, durationMs });
    const peakBytes = memory.stop();
    // On a busy machine, the server gets less time to recover in five seconds.
    const endMs = readMainThreadMs(server.processId) + 5_000;
    let after = await probeFor(800, server, read);
    while ((after.failed > 0 || after.p99WorkMs > noticedMs) && readMainThreadMs(server.processId) < endMs) {
      after = await probeFor(800, server, read);
    }
    expect([...seen.breaches]).toEqual([]);
    expectUndisturbed(after);
    // An idle server uses 90 to 110 MB, and each request a few hundred kilobytes. Measured peaks were 270 to 390 MB.
    expect(peakBytes).toBeLessThan(512e6);
    const { answered, refused } = seen;
    report({ connections, answered, refused, peak: `${toMegabytes(peakBytes)} MB`, after: showP99(after) });
  },
);

const lists = {
  exclude_params: Array.from({ length: 100 }, (_, index) => `${"p".repeat(120)}${index}`),
  exclude_ips: Array.from({ length: 500 }, (_, index) => `2001:db8:1:2:3:4:${index.toString(16)}:1`),
};
/** More connections than requests of an account may run and wait, also with the largest bodies. */
const crowds = {
  small: { connections: 1_200, attempts: 10, bodyEnd: "}" },
  // What is left of 64 KiB is spaces. One attempt each leaves this process time to measure.
  largest: { connections: 600, attempts: 1, bodyEnd: `,${JSON.stringify(lists).slice(1)}`.padEnd(maxBytes - 100) },
};

test("one account with any number of connections and bodies refuses no other account, and memory has a bound", async () => {
  await using database = await createTwoAccounts("sqlite");
  // As the systemd unit and the container start it.
  await using server = await startServer(database.url, { settings: { NODE_OPTIONS: "--max-semi-space-size=16" } });
  const memory = watchMemory(server.processId);
  const figures: Record<string, string> = {};
  for (const [name, kind] of Object.entries(crowds)) {
    const apiKeys = [database.account.apiKey, database.account.secondKey];
    const read = { path: accountPath, apiKey: database.other.apiKey, pauseMs: 10 };
    // A create waits for the lock for at most five seconds.
    const target = { server, file: database.file ?? "", apiKeys, read, durationMs: rounds(3) * 1_000 };
    const { created, refused, breaches, during } = await crowd({ ...target, ...kind });
    expect([...breaches]).toEqual([]);
    expectUndisturbed(during);
    figures[name] = `${created} done, ${refused} refused, ${during.count} other reads with p99 ${showP99(during)}`;
  }
  const peakBytes = memory.stop();
  // 1,200 connections take 50 MB, and the bodies that run or wait 100. It was 296 to 353 MB. Without a bound, the server used 577.
  expect(peakBytes).toBeLessThan(420e6);
  report({ ...figures, peak: `${toMegabytes(peakBytes)} MB` });
});

test.for(engineNames)(
  "next to 500 requests of one account, the only writer of another waits at most two thirds as long, on %s",
  async (engine) => {
    await using database = await createTwoAccounts(engine);
    // On a slow machine, the many wait for longer than a server lets requests wait for a connection by default.
    const url = engine === "postgres" ? `${database.url}?pool_timeout=15` : database.url;
    await using server = await startServer(url);
    // With the reader, as many requests of an account as may be in progress.
    const crowded = { url: server.url, apiKey: database.account.apiKey, writers: 499, name: "busy" };
    const lone = { url: server.url, apiKey: database.other.apiKey, writers: 1, name: "lone" };
    const read = { path: accountPath, apiKey: crowded.apiKey };
    const { during, result } = await probeWhile(server, read, async () => {
      const busy = await startWriting(crowded);
      const single = await startWriting(lone);
      await sleep(rounds(1) * 1_000);
      return { single: await single.stop(), busy: await busy.stop() };
    });
    const [loneMs, busyMs] = [percentile(result.single.timesMs, 50), percentile(result.busy.timesMs, 50)];
    expect([result.single.failed, result.busy.failed], "creates that failed").toEqual([0, 0]);
    expect(during.failed, `of ${during.count} reads with the key of the writers failed`).toBe(0);
    // It waits for the group that is being committed and for its own: 3 to 16 % of the time of the others, of which 64 run at a time.
    expect(loneMs).toBeLessThan((busyMs * 2) / 3);
    report({
      lone: `${loneMs.toFixed(1)} ms`,
      "each of the others": `${busyMs.toFixed(1)} ms`,
      read: `${during.p99Ms.toFixed(1)} ms`,
    });
  },
);
