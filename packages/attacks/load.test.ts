import { setTimeout as sleep } from "node:timers/promises";
import { awayFromMidnight } from "@siteward/testing/away-from-midnight";
import { type EngineName, engineNames } from "@siteward/testing/engines/database";
import { readResidentBytes } from "@siteward/testing/process-tree";
import { createRandom } from "@siteward/testing/random";
import { type ServerOptions, startServer } from "@siteward/testing/servers/start-server";
import { canSlowDisk, slowDisk } from "@siteward/testing/slow-disk";
import { expect, test } from "vitest";
import { report, rounds, seed } from "./support/attack.ts";
import { expensiveRequests } from "./support/bytes/expensive-requests.ts";
import { maxBytes } from "./support/bytes/fill.ts";
import { createHttpClient } from "./support/client/http-client.ts";
import { hasRisen, probeFor } from "./support/client/probe.ts";
import { floodWithBadKeys } from "./support/load/bad-keys.ts";
import { expectUndisturbed, readBeside, showP99 } from "./support/load/beside.ts";
import { crowd } from "./support/load/crowd.ts";
import { createWebsite, grow, measureTrail } from "./support/load/grow.ts";
import { openHeldTime } from "./support/load/held-time.ts";
import { overload } from "./support/load/overload.ts";
import { createMeanwhile, startFlood } from "./support/load/password-flood.ts";
import { startWriting } from "./support/load/start-writing.ts";
import { percentile } from "./support/percentile.ts";
import { createTwoAccounts } from "./support/two-accounts.ts";
import { toMegabytes, watchMemory } from "./support/watch-memory.ts";

const account = "/api/v1/account";

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
    const read = { path: account, apiKey };
    const quiet = await probeFor(1_500, server.url, read);
    const memory = watchMemory(() => [server.processId]);
    // The server reaches its highest throughput with about 64 requests in progress.
    const [connections, durationMs] = [640, rounds(2) * 1_000];
    const seen = await overload({ url: server.url, apiKey, random: createRandom(seed), connections, durationMs });
    const peakBytes = memory.stop();
    const endMs = performance.now() + 5_000;
    let after = await probeFor(800, server.url, read);
    while ((after.failed > 0 || hasRisen(after.p99Ms, quiet.p99Ms)) && performance.now() < endMs) {
      after = await probeFor(800, server.url, read);
    }
    expect([...seen.breaches]).toEqual([]);
    expect([after.failed, hasRisen(after.p99Ms, quiet.p99Ms)]).toEqual([0, false]);
    // An idle server uses 90 to 110 MB, and each request a few hundred kilobytes. Measured peaks were 270 to 390 MB.
    expect(peakBytes).toBeLessThan(512e6);
    const { answered, refused } = seen;
    report({
      connections,
      answered,
      refused,
      peak: `${toMegabytes(peakBytes)} MB`,
      after: showP99({ quiet, during: after }),
    });
  },
);

const lists = {
  exclude_params: Array.from({ length: 100 }, (_, index) => `${"p".repeat(120)}${index}`),
  exclude_ips: Array.from({ length: 500 }, (_, index) => `2001:db8:1:2:3:4:${index.toString(16)}:1`),
};
/** More connections than requests may be in progress, and more of the largest bodies than may be in memory. */
const crowds = {
  small: { connections: 1_200, attempts: 10, bodyEnd: "}" },
  // What is left of 64 KiB is spaces. One attempt each leaves this process time to measure.
  largest: { connections: 600, attempts: 1, bodyEnd: `,${JSON.stringify(lists).slice(1)}`.padEnd(maxBytes - 100) },
};

test("one account with any number of connections and bodies refuses no other account, and memory has a bound", async () => {
  await using database = await createTwoAccounts("sqlite");
  await using server = await startServer(database.url);
  const memory = watchMemory(() => [server.processId]);
  const figures: Record<string, string> = {};
  for (const [name, kind] of Object.entries(crowds)) {
    const apiKeys = [database.account.apiKey, database.account.secondKey];
    const read = { path: account, apiKey: database.other.apiKey, pauseMs: 10 };
    // A create waits for the lock for at most five seconds.
    const target = { port: server.port, file: database.file ?? "", apiKeys, read, durationMs: rounds(1) * 1_000 };
    const { created, refused, breaches, during } = await crowd({ ...target, ...kind });
    expect([...breaches]).toEqual([]);
    expect(during.failed, `of ${during.count} reads of the other account failed`).toBe(0);
    // It was 5 to 40 ms on a machine with much other work.
    expect(during.medianMs).toBeLessThan(1_000);
    figures[name] =
      `${created} done, ${refused} refused, ${during.count} other reads with p99 ${during.p99Ms.toFixed(1)} ms`;
  }
  const peakBytes = memory.stop();
  // 1,200 connections take 50 MB, and the bodies that may wait 80. Without a bound of bodies, the server used 577 MB.
  expect(peakBytes).toBeLessThan(310e6);
  report({ ...figures, peak: `${toMegabytes(peakBytes)} MB` });
});

/** PostgreSQL is another process, which uses the disk without the server. */
const disks: readonly [engine: EngineName, disk: string, options: ServerOptions][] = [
  ["sqlite", "a plain disk", {}],
  ["sqlite", "a disk whose syncs take 5 ms longer", { wrapper: slowDisk(5) }],
  ["postgres", "a plain disk", {}],
];

test.for(disks)(
  "next to 500 requests of one account, the only writer of another waits at most two thirds as long, on %s and %s",
  async ([engine, disk, options], { skip }) => {
    skip(options.wrapper !== undefined && !canSlowDisk(), "strace cannot slow this disk");
    await using database = await createTwoAccounts(engine);
    // On a slow machine, the many wait for longer than a server lets requests wait for a connection by default.
    const url = engine === "postgres" ? `${database.url}?pool_timeout=15` : database.url;
    await using server = await startServer(url, options);
    // With the reader, as many requests of an account as may be in progress.
    const crowded = { url: server.url, apiKey: database.account.apiKey, writers: 499, name: "busy" };
    const lone = { url: server.url, apiKey: database.other.apiKey, writers: 1, name: "lone" };
    const read = { path: account, apiKey: crowded.apiKey };
    const { during, result } = await readBeside(server.url, read, async () => {
      const busy = await startWriting(crowded);
      const single = await startWriting(lone);
      await sleep(rounds(1) * 1_000);
      return { single: await single.stop(), busy: await busy.stop() };
    });
    const [loneMs, busyMs] = [percentile(result.single.timesMs, 50), percentile(result.busy.timesMs, 50)];
    expect([result.single.failed, result.busy.failed], "creates that failed").toEqual([0, 0]);
    expect(during.failed, `of ${during.count} reads with the key of the writers failed`).toBe(0);
    // It waits for the group that is being committed and for its own: 11 to 41 % of the time of the others. When requests did not start
    // in turns of API keys, it was up to 51 %, and when accounts took turns only in front of the thread, 40 to 75 %.
    expect(loneMs).toBeLessThan((busyMs * 2) / 3);
    report({
      engine,
      disk,
      lone: `${loneMs.toFixed(1)} ms`,
      "each of the others": `${busyMs.toFixed(1)} ms`,
      read: `${during.p99Ms.toFixed(1)} ms`,
    });
  },
);

test.for(engineNames)(
  "a flood of passwords delays no other account, and creates nothing for a client that left before its turn, on %s",
  async (engine) => {
    await using database = await createTwoAccounts(engine);
    await using server = await startServer(database.url);
    const creates = rounds(200);
    const read = { path: account, apiKey: database.other.apiKey, pauseMs: 2 };
    const beside = await readBeside(server.url, read, async () => {
      const flood = await startFlood(server.port, database.account.apiKey, creates);
      const meanwhile = createMeanwhile(server.url, database.other.apiKey);
      await sleep(1_900);
      flood.leave();
      return { ...flood.judge(), other: await meanwhile };
    });
    const { acknowledged, refused, breaches, other } = beside.result;
    // What is in progress when the clients leave is finished.
    await sleep(2_000);
    const stored = await database.query(`select domain from websites where account_id = ${database.account.id}`);
    const domains = new Set(stored.map(({ domain }) => String(domain)));
    expect([...breaches, ...other.breaches]).toEqual([]);
    expect([...acknowledged].filter((domain) => !domains.has(domain))).toEqual([]);
    // At most half of the four threads hash, and the same number of writes can wait for their commit.
    expect(domains.size - acknowledged.size).toBeLessThanOrEqual(4);
    // A create took 2 seconds on a machine without other work. Before hashing was limited, it took 16 to 24.
    const longestMs = Math.max(...other.timesMs);
    expect(longestMs).toBeLessThan(4_000);
    expectUndisturbed(beside);
    const figures = { creates, acknowledged: acknowledged.size, refused, "other account's p99": showP99(beside) };
    report({ ...figures, "other account's longest create": `${Math.round(longestMs)} ms` });
  },
);

test.for(engineNames)(
  "a flood of invalid keys is limited by address, takes at most 64 MB, and does not refuse or delay a valid key, on %s",
  async (engine) => {
    await using database = await createTwoAccounts(engine);
    // The limit is low, so that a short run passes it.
    const limit = 60;
    const settings = { SITEWARD_TRUST_PROXY: "loopback", SITEWARD_FAILED_AUTH_LIMIT: String(limit) };
    await using server = await startServer(database.url, { settings });
    const [keys, random] = [rounds(6_000), createRandom(seed)];
    const flood = { port: server.port, random, limit };
    // The first keys warm the process up.
    const first = await floodWithBadKeys({ ...flood, count: Math.ceil(keys / 4) });
    const beforeBytes = readResidentBytes(server.processId);
    const read = { path: account, apiKey: database.other.apiKey, pauseMs: 2 };
    const beside = await readBeside(server.url, read, () => floodWithBadKeys({ ...flood, count: (keys * 3) / 4 }));
    const growthBytes = readResidentBytes(server.processId) - beforeBytes;
    expect([...first.breaches, ...beside.result.breaches]).toEqual([]);
    expectUndisturbed(beside);
    // The heap of a busy process varies by up to 40 MB.
    expect(growthBytes).toBeLessThan(64e6);
    const { refusedByKey, refusedByAddress } = beside.result;
    const memory = `${toMegabytes(beforeBytes)} → ${toMegabytes(beforeBytes + growthBytes)} MB`;
    report({ keys, refusedByKey, refusedByAddress, memory, "valid key's p99": showP99(beside) });
  },
);

test.for(engineNames)(
  "one account leaves no more on the disk in a day than its limit, is told when that ends, and disturbs no other, on %s",
  async (engine) => {
    const [workers, connections, limitMegabytes] = [2, 4, 1];
    await awayFromMidnight(120_000);
    await using database = await createTwoAccounts(engine);
    const beforeBytes = await measureTrail(database);
    const { apiKey } = database.other;
    const random = createRandom(seed);
    const latencies: string[] = [];
    // A restart must not begin a new count.
    for (const name of ["first", "again"]) {
      await using server = await startServer(database.url, {
        workers,
        settings: { SITEWARD_TRAIL_LIMIT: `${limitMegabytes}` },
      });
      using client = createHttpClient(server.url, { connections: 1 });
      const id = await createWebsite(client, apiKey, { domain: `calm-${name}.example.com` });
      const change = { path: `/api/v1/websites/${id}`, apiKey, bodyOf: (count: number) => ({ email: count % 2 }) };
      const growth = {
        url: server.url,
        apiKey: database.account.apiKey,
        random,
        name,
        connections,
        refusals: rounds(20),
      };
      const beside = await readBeside(server.url, change, () => grow(growth));
      expect([...beside.result.breaches]).toEqual([]);
      expect(beside.result.refused).toBeGreaterThan(0);
      const { quiet, during } = beside;
      expect([during.failed, hasRisen(during.medianMs, quiet.medianMs)], "calm changes").toEqual([0, false]);
      latencies.push(`${quiet.medianMs.toFixed(1)} → ${during.medianMs.toFixed(1)} ms`);
    }
    const grownBytes = (await measureTrail(database)) - beforeBytes;
    // Deletions go on to half as much again. Each process counts a megabyte on its own, also after the restart.
    expect(grownBytes).toBeLessThan((limitMegabytes * 1.5 + 2 * workers) * 1e6 + 2 * connections * 75_000);
    report({ left: `${(grownBytes / 1e6).toFixed(1)} MB`, "other account's median": latencies.join(" and ") });
  },
);
