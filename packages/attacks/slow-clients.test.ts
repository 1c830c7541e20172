import { type EngineName, engineNames } from "@siteward/testing/engines/database";
import { createRandom } from "@siteward/testing/random";
import { startServer } from "@siteward/testing/servers/start-server";
import { expect, test } from "vitest";
import { report, rounds, seed } from "./support/attack.ts";
import { exchange } from "./support/bytes/exchange.ts";
import { get, keyed, websites } from "./support/bytes/raw-requests.ts";
import { createHttpClient } from "./support/client/http-client.ts";
import { expectUndisturbed, probeWhile, showP99 } from "./support/client/probe.ts";
import { createWebsite } from "./support/load/grow.ts";
import { floodDescriptors } from "./support/slow/flood-descriptors.ts";
import { leaveUnread, type UnreadRequests } from "./support/slow/leave-unread.ts";
import { waitForEnd } from "./support/slow/wait-for-end.ts";
import { createTwoAccounts } from "./support/two-accounts.ts";
import { toMegabytes, watchMemory } from "./support/watch-memory.ts";

test("slow clients of every kind are disconnected sooner than an idle one, and a healthy client does not notice them", async () => {
  await using database = await createTwoAccounts("sqlite");
  // A client that is refused because too many requests are in progress is not slow: it keeps an idle connection.
  await using server = await startServer(database.url, { settings: { SITEWARD_MAX_REQUESTS: "10000" } });
  const { apiKey } = database.account;
  await createLongWebsites(server.url, apiKey, 10);
  const memory = watchMemory(server.processId);
  const count = rounds(60);
  const target = { port: server.port, apiKey, count };
  const { during, result } = await probeWhile(server, { path: "/healthz", apiKey }, () => waitForEnd(target));
  const peak = `${toMegabytes(memory.stop())} MB`;
  const times = [...result];
  expect(times.filter(([, disconnectedMs]) => disconnectedMs === undefined)).toEqual([]);
  expectUndisturbed(during);
  const disconnected = times.map(([name, ms = 0]) => `${name} after ${Math.round(ms / 1000)} s`).join(", ");
  report({ clients: count, disconnected, "healthy client's p99": showP99(during), peak });
});

test("clients that do not read their answers use little memory and delay nobody, and the next ones use no more", async () => {
  await using database = await createTwoAccounts("sqlite");
  await using server = await startServer(database.url);
  const { apiKey } = database.account;
  await createLongWebsites(server.url, apiKey, 100);
  const kinds = Object.entries(unreadRequests(rounds(250), apiKey));
  // The process keeps freed memory for itself, so only another crowd of the largest kind tells that it was freed.
  for (const [name, unread] of [...kinds, ...kinds.slice(-1)]) {
    const { during, result } = await probeWhile(server, { path: "/healthz" }, () => leaveUnread(server, unread));
    report({ name, peak: `${toMegabytes(result)} MB`, "healthy client's p99": showP99(during) });
    expect(result, name).toBeLessThan(unread.maxBytes);
    // A turn of the event loop can write up to 32 pages, each of 20 to 30 ms.
    expectUndisturbed(during, 1_000);
  }
  // A client that reads its answers can still send ten requests at a time.
  const requests = Array.from({ length: 10 }, (_, index) =>
    get(index % 2 === 0 ? "/healthz" : websites, keyed.replace("{key}", apiKey), `X-Request-Id: r${index}`),
  );
  const { answers } = await exchange(
    server.port,
    [requests.join("")],
    requests.map(() => 200),
  );
  expect(answers.slice(0, 10).map(({ status, headers }) => `${status} ${headers.get("x-request-id")}`)).toEqual(
    requests.map((_, index) => `200 r${index}`),
  );
});

test.for(engineNames)(
  "without free file descriptors the server serves its open connections, and new ones once some are free, on %s",
  async (engine: EngineName) => {
    await using database = await createTwoAccounts(engine);
    const random = createRandom(seed);
    for (let round = 0; round < rounds(2); round += 1) {
      // An idle worker has about 35 files open.
      const [files, workers] = [random.integer(64, 96), (round % 2) + 1];
      await using server = await startServer(database.url, { wrapper: ["prlimit", `--nofile=${files}`], workers });
      const { accepted, served, isServedAgain, memoryBytes } = await floodDescriptors(server, database.account.apiKey);
      expect({ served, isServedAgain, hasEnded: server.hasEnded() }, server.log().slice(-500)).toEqual({
        served: 10,
        isServedAgain: true,
        hasEnded: false,
      });
      report({ files, workers, accepted, memory: `${toMegabytes(memoryBytes)} MB` });
    }
  },
);

/** An idle server uses 90 to 110 MB. Each socket can have 64 KiB of requests read and one answer of 30 kB waiting. */
const maxSmallBytes = 225e6;
/**
 * 64 MiB of unread answers more than that. While a page of 1.8 MB is written, its records and its string also use memory, until
 * the next garbage collection.
 */
const maxLongBytes = 400e6;

function unreadRequests(clients: number, apiKey: string): Record<string, UnreadRequests & { maxBytes: number }> {
  // The largest page: 1.8 MB.
  const page = get(`${websites}?per_page=100`, keyed.replace("{key}", apiKey));
  const small = get("/openapi.json").repeat(1_500);
  const each = (count: number, text: string) => Array.from({ length: count }, () => text);
  return {
    "small answers": { requests: each(Math.ceil(clients / 40), small), pauseMs: 0, maxBytes: maxSmallBytes },
    "too many pages on one connection": { requests: [page.repeat(clients * 2)], pauseMs: 0, maxBytes: maxLongBytes },
    "32 pages on one connection": { requests: [page.repeat(32)], pauseMs: 0, maxBytes: maxLongBytes },
    // The system buffers up to 4 MB of each. Three pages take 60 to 90 ms to write: the pause keeps the server from being busy, since
    // only its memory is tested.
    "3 pages on each connection": { requests: each(clients, page.repeat(3)), pauseMs: 100, maxBytes: maxLongBytes },
  };
}

/** Creates websites with the maximum number of exclusions, each a full IPv6 address. One takes 18 kB in a list. */
async function createLongWebsites(url: string, apiKey: string, count: number): Promise<void> {
  using client = createHttpClient(url, { connections: 4 });
  const exclude_ips = Array.from({ length: 500 }, (_, index) => `2001:db8:1111:2222:3333:4444:${5000 + index}:8888`);
  const domains = Array.from({ length: count }, (_, index) => `long-${index}.example.com`);
  await Promise.all(domains.map((domain) => createWebsite(client, apiKey, { domain, exclude_ips })));
}
