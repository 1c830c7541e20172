import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { Siteward, type Website } from "@siteward/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, cliBin, startBuiltServer } from "./support/built-server.ts";

describe("siteward plan and apply, with the built server", () => {
  let server: BuiltServer;
  beforeAll(async () => {
    server = await startBuiltServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  interface Run {
    readonly exitCode: number | null;
    readonly stdout: string;
    readonly stderr: string;
  }

  /** Runs the built CLI with a site file on standard input. */
  async function run(apiKey: string, commandLine: string, file = ""): Promise<Run> {
    const env = {
      PATH: process.env["PATH"],
      HOME: "/nonexistent",
      SITEWARD_API_KEY: apiKey,
      SITEWARD_BASE_URL: server.url,
    };
    const child = spawn(process.execPath, [cliBin, ...commandLine.split(" ")], { env });
    child.stdin.end(file);
    const [stdout, stderr, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return { exitCode, stdout, stderr };
  }

  async function openAccount() {
    const { apiKey } = await server.createAccount();
    return { apiKey, siteward: new Siteward({ apiKey, baseUrl: server.url }) };
  }

  const settingsOf = ({ id: _id, created_at: _created, updated_at: _updated, ...settings }: Website) => settings;
  const all = async ({ websites }: Siteward) =>
    (await websites.list({ sort_by: "domain", sort: "asc" }).toArray({ limit: Infinity })).map(settingsOf);

  test("an exported account has no changes, and its file gives another account the same websites", async () => {
    const { apiKey, siteward } = await openAccount();
    await siteward.websites.create({ domain: "a.example" });
    await siteward.websites.create({
      domain: "bücher.example",
      privacy: 1,
      email: 1,
      exclude_params: ["null", "utm_*", "42"],
    });
    await siteward.websites.create({
      domain: "c.example",
      exclude_bots: 0,
      exclude_ips: ["2001:db8::", "203.0.113.*", "::/0"],
    });
    const { stdout: file } = await run(apiKey, "export --output yaml");
    expect(await run(apiKey, "plan - --prune --detailed-exitcode", file)).toMatchObject({ exitCode: 0, stderr: "" });
    const other = await openAccount();
    expect((await run(other.apiKey, "apply - --yes", file)).exitCode).toBe(0);
    expect(await all(other.siteward)).toEqual(await all(siteward));
  });

  test("of two applies at once, each says what it did, and no change is lost", async () => {
    const { apiKey, siteward } = await openAccount();
    const domains = Array.from({ length: 40 }, (_, index) => `site-${index}.example`);
    for (const domain of domains) await siteward.websites.create({ domain });
    const fileOf = (settings: string) => `version: 1\ndefaults: {${settings}}\nwebsites: [${domains.join(", ")}]\n`;
    const runs = await Promise.all([
      run(apiKey, "apply - --yes", fileOf("email: on")),
      run(apiKey, "apply - --yes", fileOf("privacy: private, exclude_params: [utm_*]")),
    ]);
    const results = runs.map(({ stdout }) => JSON.parse(stdout) as Result[]);
    const websites = await all(siteward);
    for (const { domain, email, privacy, exclude_params } of websites) {
      const updating = results.flatMap((result, index) => (isUpdated(result, domain) ? [index] : []));
      // If both updated it, the second computed its plan when the first was done.
      const expected = updating.length === 0 ? [untouched] : updating.map((index) => states[index]);
      expect(expected).toContainEqual({ email, privacy, exclude_params });
    }
    for (const [index, { exitCode, stderr }] of runs.entries()) {
      const outcomes = new Set(results[index]?.map(({ outcome }) => outcome));
      const isStopped = outcomes.has("refused");
      expect([0, 5, 7]).toContain(exitCode);
      expect(isStopped).toBe(exitCode !== 0);
      expect(stderr.includes("was changed after the plan was computed")).toBe(isStopped);
    }
  });
});

interface Result {
  readonly domain: string;
  readonly outcome: string;
}

const untouched = { email: 0, privacy: 0, exclude_params: [] };
/** What each of the two files wants. */
const states = [
  { email: 1, privacy: 0, exclude_params: [] },
  { email: 0, privacy: 1, exclude_params: ["utm_*"] },
];

function isUpdated(results: readonly Result[], domain: string): boolean {
  return results.some((result) => result.domain === domain && result.outcome === "updated");
}
