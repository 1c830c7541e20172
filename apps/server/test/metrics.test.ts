import { spawnSync } from "node:child_process";
import { lacksProgram } from "@siteward/testing/lacks-program";
import { describe, expect, test, vi } from "vitest";
import { engines } from "./support/engines.ts";
import type { RunningProgram } from "./support/run-program.ts";
import { startWorkerServer, type WorkerServer } from "./support/worker-server.ts";

const settings = { SITEWARD_METRICS: "127.0.0.1:0" };
const requests = "http_server_request_duration_seconds_count";
const storage = "db_client_operation_duration_seconds_count";

describe("metrics", () => {
  test("agree with a load of known size, fail after 5 seconds while a worker hangs, and one that replaces it begins at 0 in its place", async () => {
    await using server = await startWorkerServer(engines.sqlite, { workers: 2, settings });
    const url = await findMetricsUrl(server.program);
    await sendLoad(server, "first");
    const first = await scrape(url);
    expect(countsOf(first)).toEqual(countsOfLoads(1));
    expect(workersOf(first)).toEqual(["1", "2"]);

    process.kill(Number(server.workerPids()[0]), "SIGSTOP");
    const failed = await fetch(url);
    expect([failed.status, await failed.text()]).toEqual([500, "The metrics could not be read.\n"]);
    // It does not wait until the worker that hangs is killed, after 6 or 7 seconds, and another one has started.
    await server.untilLogged("A worker started.", 3);
    const afterKill = await scrape(url);
    expect(workersOf(afterKill)).toEqual(["1", "2"]);
    expect(increaseOf(first, afterKill)).toEqual(countsOfLoads(0));
    await sendLoad(server, "second");
    const second = await scrape(url);
    expect(increaseOf(afterKill, second)).toEqual(countsOfLoads(1));

    server.program.child.kill("SIGHUP");
    await server.untilLogged("A replaced worker stopped.", 2);
    const afterRestart = await scrape(url);
    expect(sumOf(afterRestart, "siteward_workers")).toBe(2);
    await sendLoad(server, "third");
    expect(increaseOf(afterRestart, await scrape(url))).toEqual(countsOfLoads(1));
  });

  test("have an address of their own, which answers GET and HEAD of one path and nothing else, and no label that a client chose", async () => {
    await using server = await startWorkerServer(engines.sqlite, { workers: 1, settings });
    const url = await findMetricsUrl(server.program);
    const names = ["chosen-domain.example.com", "chosen-path", "CHOSENMETHOD", "chosen-id", server.key.slice(4)];
    const [domain = "", path, method = "", requestId = ""] = names;
    expect((await server.create(domain)).status).toBe(201);
    await server.send({ path: `/${path}` });
    await server.send({ path: `/docs/${path}` });
    for (const begin of ["/docs", "/api/v1/websites/7/"]) await server.send({ path: `${begin}${path}` });
    await fetch(`${server.url}/api/v1/websites/${path}`, {
      headers: { "X-Request-Id": requestId, Authorization: `Bearer ${server.key}` },
    });
    await fetch(`${server.url}/api/v1/websites`, { method: "PATCH" });
    await fetch(`${server.url}/${path}`, { method, headers: { Authorization: `Bearer swk_${path}` } }).catch(() => {});
    const text = await (await fetch(url)).text();
    expect(names.filter((name) => text.includes(name))).toEqual([]);
    expect(text).not.toContain("127.0.0.1");
    const values = await scrape(url);
    expect(sumOf(values, requests, 'http_route="_OTHER"')).toBe(3);
    expect(sumOf(values, requests, 'http_route="/docs/{page}"')).toBe(1);
    expect(sumOf(values, requests, 'http_route="/api/v1/websites/{id}"', 'code="404"')).toBe(1);
    expect(sumOf(values, requests, 'method="PATCH"', 'http_route="/api/v1/websites"', 'code="401"')).toBe(1);
    // Of the method that HTTP does not have.
    expect(sumOf(values, "siteward_refused_requests_total", 'reason="malformed_request"')).toBe(1);
    // As they were at the start, which is at most a minute ago.
    expect([sumOf(values, "siteward_accounts"), sumOf(values, "siteward_websites")]).toEqual([1, 0]);
    for (const [status, method, ...paths] of [
      [200, "GET", "/metrics"],
      [200, "HEAD", "/metrics"],
      [405, "POST", "/metrics"],
      [404, "GET", "/", "/healthz", "/api/v1/account", "/metrics/x"],
    ] as const)
      for (const path of paths) expect((await fetch(new URL(path, url), { method })).status).toBe(status);
    expect((await server.send({ path: "/metrics" })).status).toBe(404);
    const { headers } = await fetch(url);
    expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    // Those that come together share an answer.
    const scraped = await Promise.all(Array.from({ length: 10 }, () => fetch(url).then((response) => response.text())));
    expect(scraped.every((text) => text.includes("siteward_build_info"))).toBe(true);
  });

  test.skipIf(lacksProgram("promtool"))("are text that promtool accepts without a complaint", async () => {
    await using server = await startWorkerServer(engines.postgres, { workers: 1, settings });
    await sendLoad(server, "first");
    const text = await (await fetch(await findMetricsUrl(server.program))).text();
    const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" });
    expect([status, stdout, stderr]).toEqual([0, "", ""]);
    expect(text).toContain('db_client_connection_max{db_client_connection_pool_name="write",worker="0"} 6\n');
  });
});

const loadSize = 10;

/** Creates websites, reads each of them twice, and sends requests that are refused. */
async function sendLoad(server: WorkerServer, name: string): Promise<void> {
  const each = Array.from({ length: loadSize }, async (_, index) => {
    const { text } = await server.create(`${name}-${index}.example.com`);
    const path = `/api/v1/websites/${JSON.parse(text).data.id}`;
    await Promise.all([server.send({ path }), server.send({ path })]);
    await server.create(`${name}-${index}.example.com`);
    await server.send({ path: "/api/v1/account", key: "unknown" });
  });
  await Promise.all(each);
}

function countsOfLoads(count: number) {
  const sent = count * loadSize;
  return { created: sent, taken: sent, read: 2 * sent, refused: sent, creates: [sent, sent], conflicts: sent };
}

function countsOf(values: Scrape) {
  const count = (method: string, route: string, status: number) =>
    sumOf(values, requests, `method="${method}"`, `http_route="${route}"`, `code="${status}"`);
  return {
    created: count("POST", "/api/v1/websites", 201),
    taken: count("POST", "/api/v1/websites", 409),
    read: count("GET", "/api/v1/websites/{id}", 200),
    refused: count("GET", "/api/v1/account", 401),
    creates: ["ok", "domain_taken"].map((outcome) =>
      sumOf(values, storage, 'name="websites.create"', `outcome="${outcome}"`),
    ),
    conflicts: sumOf(values, "siteward_refused_requests_total", 'reason="domain_taken"'),
  };
}

function workersOf(values: Scrape): string[] {
  return [...values.keys()].flatMap((name) => /^siteward_workers\{worker="(\d+)"/.exec(name)?.[1] ?? []).toSorted();
}

/** Returns by how much counters have risen, as Prometheus counts: one that fell has begun at 0. */
function increaseOf(before: Scrape, after: Scrape) {
  const risen = [...after].map(([series, value]) => {
    const last = before.get(series) ?? 0;
    return [series, value < last ? value : value - last] as const;
  });
  return countsOf(new Map(risen));
}

/** One value of a scrape, by its name and labels as they are written. */
type Scrape = ReadonlyMap<string, number>;

/** Waits until the log says where a server answers scrapes. */
async function findMetricsUrl(program: RunningProgram): Promise<string> {
  const find = () => program.logEntries().find(({ msg }) => String(msg).startsWith("Prometheus can read"))?.["url"];
  return String(await vi.waitUntil(find, { timeout: 60_000 }));
}

async function scrape(url: string): Promise<Scrape> {
  const response = await fetch(url);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`The scrape was answered with ${response.status}: ${text}`);
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

/** Returns the sum of all series of a metric whose labels contain these. */
function sumOf(values: Scrape, name: string, ...labels: readonly string[]): number {
  return [...values].reduce((sum, [series, value]) => {
    const isMeant = series === name || series.startsWith(`${name}{`);
    return isMeant && labels.every((label) => series.includes(label)) ? sum + value : sum;
  }, 0);
}
