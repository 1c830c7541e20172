import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Siteward } from "@siteward/sdk";
import { peakBytesOfItself } from "@siteward/testing/process-tree";
import { cliBin } from "@siteward/testing/servers/built-programs";
import { startProcess } from "@siteward/testing/start-process";
import { expect, test } from "vitest";
import { startBuiltServer } from "./support/built-server.ts";

/** 1,000 real domains, most visited first (public domain). */
const list = new URL("../data/top-domains.txt", import.meta.url);

test("an import of 1,000 real domains that is killed on its way and run again has created each once, in less than 200 MB", async () => {
  await using server = await startBuiltServer();
  await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-e2e-"));
  const { apiKey } = await server.createAccount();
  const { websites } = new Siteward({ apiKey, baseUrl: server.url });
  const domains = (await readFile(list, "utf8")).trimEnd().split("\n");
  const file = join(folder.path, "domains.txt");
  await writeFile(file, domains.join("\n"));
  /** Starts the built CLI without a terminal, with no setting but these. It prints how much memory it used at most, in bytes. */
  const start = () => {
    const script = `process.on("exit", () => console.error(${peakBytesOfItself}))`;
    const words = [`--import=data:text/javascript,${encodeURIComponent(script)}`, cliBin, "import", file];
    const env = { SITEWARD_API_KEY: apiKey, SITEWARD_BASE_URL: server.url, HOME: folder.path };
    return startProcess([process.execPath, ...words], { env });
  };

  await using killed = start();
  while ((await websites.list()).meta.total < domains.length / 5) await sleep(20);
  killed.child.kill("SIGKILL");
  expect((await killed.ended).exitCode).toBe(null);
  expect((await websites.list()).meta.total).toBeLessThan(domains.length);
  const { exitCode, stdout, stderr } = await start().ended;

  expect(exitCode, stderr).toBe(0);
  const created = await websites.list({ sort: "asc" }).toArray({ limit: 20_000 });
  expect(created.map(({ domain }) => domain).toSorted()).toEqual(domains.toSorted());
  const ids = new Map(created.map(({ domain, id }) => [domain, id]));
  const outcomes: readonly { readonly domain: string; readonly id: number }[] = JSON.parse(stdout);
  expect(outcomes.map(({ domain, id }) => [domain, id])).toEqual(domains.map((domain) => [domain, ids.get(domain)]));
  expect(Number(/\d+$/.exec(stderr.trim())?.[0])).toBeLessThan(200e6);
});
