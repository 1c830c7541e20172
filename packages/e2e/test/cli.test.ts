import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Siteward, type Website } from "@siteward/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, startBuiltServer } from "./support/built-server.ts";
import { readRealDomains, type Spoiling, spoilings } from "./support/real-domains.ts";
import { type CliEnd, type CliRun, startBuiltCli } from "./support/start-built-cli.ts";

let server: BuiltServer;
let folder: string;

beforeAll(async () => {
  server = await startBuiltServer();
  folder = mkdtempSync(join(tmpdir(), "siteward-e2e-"));
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** A new account, for runs of the built CLI. */
async function openAccount() {
  const { apiKey } = await server.createAccount();
  const { websites } = new Siteward({ apiKey, baseUrl: server.url });
  return {
    websites,
    start: (commandLine: string, stdin?: string): CliRun =>
      startBuiltCli(commandLine, { SITEWARD_API_KEY: apiKey, SITEWARD_BASE_URL: server.url }, stdin),
    list: (): Promise<Website[]> => websites.list({ sort: "asc", per_page: 100 }).toArray({ limit: 20_000 }),
  };
}

interface Outcome {
  readonly place: string;
  readonly domain: string;
  readonly id: number | null;
  readonly outcome: string;
  readonly reason: string | null;
}

function withOutcome({ stdout }: CliEnd, ...outcomes: readonly string[]): readonly Outcome[] {
  return JSON.parse(stdout).filter(({ outcome }: Outcome) => outcomes.includes(outcome));
}

describe("the import of 3,000 real domains with 150 invalid lines", () => {
  const domains = readRealDomains().slice(0, 3_000);
  const ways: readonly Spoiling[] = Object.values(spoilings);
  /** Every 20th domain is followed by a line that is made of it and is not valid. */
  const lines = domains.flatMap((domain, index) => {
    const way = index % 20 === 0 ? ways[(index / 20) % ways.length] : undefined;
    return way === undefined ? [{ line: domain }] : [{ line: domain }, { line: way.spoil(domain, index), way, domain }];
  });
  const spoiled = lines.flatMap(({ way, domain }, index) =>
    way === undefined ? [] : [{ place: `line ${index + 1}`, reason: way.reason, remedy: way.remedy(domain) }],
  );
  let second: CliEnd;
  let websites: readonly Website[];

  beforeAll(async () => {
    const account = await openAccount();
    const file = join(folder, "domains.txt");
    writeFileSync(file, lines.map(({ line }) => `${line}\n`).join(""));
    const killed = account.start(`import ${file}`);
    while ((await account.websites.list()).meta.total < domains.length / 2) await sleep(20);
    killed.child.kill("SIGKILL");
    expect((await killed.ended).exitCode).toBeNull();
    expect((await account.websites.list()).meta.total).toBeLessThan(domains.length);
    second = await account.start(`import ${file}`).ended;
    websites = await account.list();
  });

  test("that is killed half-way and run again has created each domain once", () => {
    expect(second.exitCode).toBe(7);
    expect(websites.map(({ domain }) => domain).toSorted()).toEqual(domains.toSorted());
    const ids = new Map(websites.map(({ domain, id }) => [domain, id]));
    const done = withOutcome(second, "created", "skipped").map(({ domain, id }) => ({ domain, id }));
    expect(done).toEqual(domains.map((domain) => ({ domain, id: ids.get(domain) })));
  });

  test("lists the invalid lines with their numbers and reasons, and nothing else", () => {
    const refused = withOutcome(second, "refused");
    expect(refused.map(({ place }) => place)).toEqual(spoiled.map(({ place }) => place));
    for (const [index, { reason, remedy }] of spoiled.entries()) {
      expect(refused[index]?.reason).toMatch(reason);
      expect(refused[index]?.reason).toContain(remedy);
    }
    expect(second.stderr).toMatch(/Some websites were not imported\. 3,150 websites: .* 150 refused\./);
  });

  test("uses less than 200 MB", () => {
    expect(second.peakBytes).toBeLessThan(200_000_000);
  });
});

test("two imports of one file at the same time create each domain once", async () => {
  const account = await openAccount();
  const domains = readRealDomains().slice(0, 600);
  const ends = await Promise.all([1, 2].map(() => account.start("import -", domains.join("\n")).ended));
  expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  const created = ends.flatMap((end) => withOutcome(end, "created").map(({ domain }) => domain));
  expect(created.toSorted()).toEqual(domains.toSorted());
});

test("an exported account has no changes, and its file gives another account the same websites", async () => {
  const [account, other] = [await openAccount(), await openAccount()];
  await account.websites.create({ domain: "a.example" });
  const exclude_params = ["null", "utm_*", "42"];
  await account.websites.create({ domain: "bücher.example", privacy: 1, email: 1, exclude_params });
  const exclude_ips = ["2001:db8::", "203.0.113.*", "::/0"];
  await account.websites.create({ domain: "c.example", exclude_bots: 0, exclude_ips });
  const { stdout: file } = await account.start("export --output yaml").ended;
  const planned = await account.start("plan - --prune --detailed-exitcode", file).ended;
  expect(planned).toMatchObject({ exitCode: 0, stderr: "" });
  expect((await other.start("apply - --yes", file).ended).exitCode).toBe(0);
  const [before, after] = [await account.list(), await other.list()].map((websites) =>
    websites
      .map(({ id: _id, created_at: _created, updated_at: _updated, ...settings }) => settings)
      .toSorted((one, another) => (one.domain < another.domain ? -1 : 1)),
  );
  expect(after).toEqual(before);
});

test("of two applies at once, each says what it did, and no change is lost", async () => {
  const account = await openAccount();
  const domains = Array.from({ length: 40 }, (_, index) => `site-${index}.example`);
  for (const domain of domains) await account.websites.create({ domain });
  /** What each of the two files wants. */
  const wanted = [
    { settings: "email: on", state: { email: 1, privacy: 0, exclude_params: [] } },
    {
      settings: "privacy: private, exclude_params: [utm_*]",
      state: { email: 0, privacy: 1, exclude_params: ["utm_*"] },
    },
  ];
  const ends = await Promise.all(
    wanted.map(({ settings }) => {
      const file = `version: 1\ndefaults: {${settings}}\nwebsites: [${domains.join(", ")}]\n`;
      return account.start("apply - --yes", file).ended;
    }),
  );
  const updated = ends.map((end) => new Set(withOutcome(end, "updated").map(({ domain }) => domain)));
  for (const { domain, email, privacy, exclude_params } of await account.list()) {
    // If both updated it, the second computed its plan when the first was done.
    const states = wanted.filter((_, index) => updated[index]?.has(domain)).map(({ state }) => state);
    const untouched = { email: 0, privacy: 0, exclude_params: [] };
    expect(states.length === 0 ? [untouched] : states).toContainEqual({ email, privacy, exclude_params });
  }
  for (const end of ends) {
    const isStopped = withOutcome(end, "refused").length > 0;
    expect([0, 5, 7]).toContain(end.exitCode);
    expect(isStopped).toBe(end.exitCode !== 0);
    expect(end.stderr.includes("was changed after the plan was computed")).toBe(isStopped);
  }
});

test("five updates at once that each change an entry of the same lists lose none of them", async () => {
  const account = await openAccount();
  const names = ["a", "b", "c", "d", "e"];
  await account.websites.create({ domain: "example.com", exclude_params: names });
  const ends = names.map((name, index) => {
    const edits = `--remove-exclude-params ${name} --add-exclude-ips 203.0.113.${index}`;
    return account.start(`websites update example.com ${edits}`).ended;
  });
  expect((await Promise.all(ends)).map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0, 0]);
  const [website] = await account.list();
  expect(website?.exclude_params).toEqual([]);
  expect(website?.exclude_ips.toSorted()).toEqual(names.map((_, index) => `203.0.113.${index}`));
});
