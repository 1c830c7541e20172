import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, startBuiltServer } from "./support/built-server.ts";
import { type CliAccount, createCliAccount } from "./support/cli-account.ts";
import { readRealDomains, type Spoiling, spoilings } from "./support/real-domains.ts";
import { type CliEnd, type CliRun, errorOf, startBuiltCli } from "./support/start-built-cli.ts";

interface ImportRecord {
  readonly place: string;
  readonly domain: string;
  readonly id: number | null;
  readonly outcome: string;
  readonly reason: string | null;
}

const domains = readRealDomains();
const ways: readonly Spoiling[] = Object.values(spoilings);
/** Every 20th domain is followed by a line that is made of it and is not valid. */
const lines = domains.flatMap((domain, index) => {
  const way = index % 20 === 0 ? ways[(index / 20) % ways.length] : undefined;
  return way === undefined ? [{ line: domain }] : [{ line: domain }, { line: way.spoil(domain, index), way, domain }];
});
const spoiled = lines.flatMap(({ way, domain }, index) =>
  way === undefined ? [] : [{ place: `line ${index + 1}`, reason: way.reason, remedy: way.remedy(domain) }],
);

let server: BuiltServer;
let folder: string;
let file: string;

beforeAll(async () => {
  server = await startBuiltServer();
  folder = mkdtempSync(join(tmpdir(), "siteward-e2e-"));
  file = join(folder, "domains.txt");
  writeFileSync(file, lines.map(({ line }) => `${line}\n`).join(""));
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function startImport({ env }: CliAccount, ...flags: readonly string[]): CliRun {
  return startBuiltCli(["import", file, "--parallel", "8", ...flags], env);
}

async function waitForWebsites({ siteward }: CliAccount, count: number): Promise<void> {
  while ((await siteward.websites.list()).meta.total < count) await sleep(20);
}

function recordsOf({ stdout }: CliEnd): readonly ImportRecord[] {
  return JSON.parse(stdout);
}

function withOutcome(records: readonly ImportRecord[], ...outcomes: readonly string[]): readonly ImportRecord[] {
  return records.filter(({ outcome }) => outcomes.includes(outcome));
}

describe("the import of 10,000 real domains with 500 invalid lines", () => {
  let account: CliAccount;
  let second: CliEnd;

  beforeAll(async () => {
    account = await createCliAccount(server);
    const killed = startImport(account);
    await waitForWebsites(account, domains.length / 2);
    killed.child.kill("SIGKILL");
    expect((await killed.ended).exitCode).toBeNull();
    expect((await account.siteward.websites.list()).meta.total).toBeLessThan(domains.length);
    second = await startImport(account).ended;
  });

  test("that is killed half-way and run again has created each domain once", async () => {
    const websites = await account.list();
    expect(websites.map(({ domain }) => domain).toSorted()).toEqual(domains.toSorted());
    expect(second.exitCode).toBe(7);
    const records = recordsOf(second);
    expect(withOutcome(records, "created", "skipped").map(({ domain }) => domain)).toEqual(domains);
    const ids = new Map(websites.map(({ domain, id }) => [domain, id]));
    for (const { domain, id } of withOutcome(records, "created", "skipped")) expect(id).toBe(ids.get(domain));
  });

  test("lists the invalid lines with their numbers and reasons, and nothing else", () => {
    const refused = withOutcome(recordsOf(second), "refused");
    expect(refused.map(({ place }) => place)).toEqual(spoiled.map(({ place }) => place));
    for (const [index, { reason, remedy }] of spoiled.entries()) {
      expect(refused[index]?.reason).toMatch(reason);
      expect(refused[index]?.reason).toContain(remedy);
    }
    expect(errorOf(second)).toMatchObject({
      code: "partly_done",
      message: expect.stringMatching(/^Some websites were not imported\. 10,500 websites: .* 500 refused\.$/),
    });
  });

  test("uses less than 200 MB", () => {
    expect(second.peakBytes).toBeLessThan(200_000_000);
  });
});

test("an import that is interrupted finishes what it sent, says what is done, and ends with 130", async () => {
  const account = await createCliAccount(server);
  const { child, ended } = startImport(account);
  await waitForWebsites(account, 500);
  child.kill("SIGINT");
  const end = await ended;
  expect(end.exitCode).toBe(130);
  const records = recordsOf(end);
  expect(records).toHaveLength(lines.length);
  const websites = await account.list();
  const created = withOutcome(records, "created").toSorted((one, other) => Number(one.id) - Number(other.id));
  expect(created.map(({ id, domain }) => ({ id, domain }))).toEqual(websites.map(({ id, domain }) => ({ id, domain })));
  expect(withOutcome(records, "not_tried")).toHaveLength(domains.length - websites.length);
  expect(errorOf(end)).toMatchObject({ code: "interrupted" });
});

test("two imports of one file at the same time create each domain once", async () => {
  const account = await createCliAccount(server);
  const path = join(folder, "shared.txt");
  writeFileSync(path, domains.slice(0, 600).join("\n"));
  const ends = await Promise.all([1, 2].map(() => startBuiltCli(["import", path], account.env).ended));
  expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  const created = ends.flatMap((end) => withOutcome(recordsOf(end), "created").map(({ domain }) => domain));
  expect(created.toSorted()).toEqual(domains.slice(0, 600).toSorted());
});
