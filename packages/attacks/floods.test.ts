import { setTimeout as sleep } from "node:timers/promises";
import { awayFromMidnight } from "@siteward/testing/away-from-midnight";
import { engineNames } from "@siteward/testing/engines/database";
import { readResidentBytes } from "@siteward/testing/process-tree";
import { createRandom } from "@siteward/testing/random";
import { openConnection } from "@siteward/testing/raw-connection";
import type { Account } from "@siteward/testing/servers/operate";
import { startServer } from "@siteward/testing/servers/start-server";
import { expect, test } from "vitest";
import { report, rounds, seed } from "./support/attack.ts";
import { createHttpClient } from "./support/client/http-client.ts";
import { expectUndisturbed, probeWhile, showP99 } from "./support/client/probe.ts";
import { floodWithBadKeys } from "./support/load/bad-keys.ts";
import { createWebsite, grow, measureTrail } from "./support/load/grow.ts";
import { startWriting } from "./support/load/start-writing.ts";
import { percentile } from "./support/percentile.ts";
import { createTwoAccounts } from "./support/two-accounts.ts";
import { toMegabytes } from "./support/watch-memory.ts";

const accountPath = "/api/v1/account";

test.for(engineNames)(
  "passwords of one account delay a create of another by at most three hashes, and no read, and create nothing for a client that left before its turn, on %s",
  async (engine) => {
    await using database = await createTwoAccounts(engine);
    await using server = await startServer(database.url);
    const fields = { privacy: 2, password: "correct horse" };
    const start = ({ apiKey }: Account, writers: number, name: string) =>
      startWriting({ url: server.url, apiKey, writers, name, fields });
    const createAsOther = async (name: string, durationMs: number) => {
      const writing = await start(database.other, 1, name);
      await sleep(durationMs);
      const written = await writing.stop();
      expect(written.failed).toBe(0);
      return written;
    };
    const read = { path: accountPath, apiKey: database.other.apiKey, pauseMs: 2 };
    const figures: Record<string, string> = {};
    let acknowledged = 0;
    for (const connections of [16, 200]) {
      // What waits is refused after 5 seconds.
      const durationMs = rounds(connections === 16 ? 3 : 8) * 1_000;
      const { during, result } = await probeWhile(server, read, async () => {
        const flood = await start(database.account, connections, `flood-${connections}`);
        const other = await createAsOther(`beside-${connections}`, durationMs);
        return { other, flood: await flood.leave() };
      });
      const { other, flood } = result;
      const created = flood.createdAtMs.length;
      acknowledged += created;
      /** How many passwords of the flood were hashed while the other create waited for its own. */
      const hashes = other.createdAtMs.map((endMs, index) => {
        const startMs = endMs - (other.timesMs[index] ?? 0);
        return flood.createdAtMs.filter((atMs) => atMs > startMs && atMs < endMs).length;
      });
      expect(percentile(hashes, 50), `of ${hashes}`).toBeLessThanOrEqual(3);
      expect(flood.failed, "answers other than 201 and 503").toBe(flood.refused);
      expectUndisturbed(during);
      const longestS = Math.max(...flood.timesMs) / 1_000;
      const theirs = `${created} created and ${flood.refused} refused after up to ${longestS.toFixed(1)} s`;
      figures[`beside ${connections}`] =
        `${percentile(other.timesMs, 50).toFixed(0)} ms, with ${percentile(hashes, 50)} hashes before (${theirs}; read's p99 ${showP99(during)})`;
    }
    report(figures);
    // What is in progress when the clients leave is finished.
    await server.stop();
    const stored = await database.query(`select id from websites where account_id = ${database.account.id}`);
    // Each time, at most half of the four threads hash, and the same number of writes can wait for their commit.
    expect(stored.length).toBeGreaterThanOrEqual(acknowledged);
    expect(stored.length).toBeLessThanOrEqual(acknowledged + 8);
  },
);

test("a burst of 2,000 connections waits while the server is busy, and is not reset", async () => {
  await using database = await createTwoAccounts("sqlite");
  await using server = await startServer(database.url);
  process.kill(server.processId, "SIGSTOP");
  try {
    const opened = Promise.all(Array.from({ length: 2_000 }, () => openConnection(server.url)));
    for (const socket of await opened) socket.destroy();
  } finally {
    process.kill(server.processId, "SIGCONT");
  }
});

test.for(engineNames)(
  "a flood of invalid keys is limited by address, takes at most 64 MB, and does not refuse or delay a valid key, on %s",
  async (engine) => {
    await using database = await createTwoAccounts(engine);
    const limit = 600;
    const settings = { SITEWARD_TRUST_PROXY: "loopback" };
    await using server = await startServer(database.url, { settings });
    const [keys, random] = [rounds(6_000), createRandom(seed)];
    const flood = { port: server.port, random, limit };
    // The first keys warm the process up.
    const first = await floodWithBadKeys({ ...flood, count: Math.ceil(keys / 4) });
    const beforeBytes = readResidentBytes(server.processId);
    const read = { path: accountPath, apiKey: database.other.apiKey, pauseMs: 2 };
    const { during, result } = await probeWhile(server, read, () =>
      floodWithBadKeys({ ...flood, count: (keys * 3) / 4 }),
    );
    const growthBytes = readResidentBytes(server.processId) - beforeBytes;
    expect([...first.breaches, ...result.breaches]).toEqual([]);
    expectUndisturbed(during);
    // The heap of a busy process varies by up to 40 MB.
    expect(growthBytes).toBeLessThan(64e6);
    const { refusedByKey, refusedByAddress } = result;
    const memory = `${toMegabytes(beforeBytes)} → ${toMegabytes(beforeBytes + growthBytes)} MB`;
    report({ keys, refusedByKey, refusedByAddress, memory, "valid key's p99": showP99(during) });
  },
);

test.for(engineNames)(
  "one account leaves no more in the trail in a day than its limit, is told when that ends, and disturbs no other, on %s",
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
      const { during, result } = await probeWhile(server, change, () => grow(growth));
      expect([...result.breaches]).toEqual([]);
      expect(result.refused).toBeGreaterThan(0);
      // It was 110 to 240 ms on a machine with other work.
      expectUndisturbed(during, 1_000);
      latencies.push(showP99(during));
    }
    const grownBytes = (await measureTrail(database)) - beforeBytes;
    // Deletions go on to half as much again. Each process counts a megabyte on its own, also after the restart.
    expect(grownBytes).toBeLessThan((limitMegabytes * 1.5 + 2 * workers) * 1e6 + 2 * connections * 75_000);
    report({ left: `${(grownBytes / 1e6).toFixed(1)} MB`, "other account's p99": latencies.join(" and ") });
  },
);
