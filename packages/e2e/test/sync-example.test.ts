import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CreateWebsite, Siteward } from "@siteward/sdk";
import { createFakeSiteward, type FakeSiteward } from "@siteward/sdk/testing";
import { describe, expect, test } from "vitest";
import { startBuiltServer } from "./support/built-server.ts";
import { mapConcurrently } from "./support/map-concurrently.ts";
import { readRealDomains } from "./support/real-domains.ts";
import { startWatchingProxy } from "./support/watching-proxy.ts";

const example = fileURLToPath(new URL("../../../examples/sync.ts", import.meta.url));

/** Names as people write them, and the domain that each means. */
const spellings = [
  ["Bücher.example", "xn--bcher-kva.example"],
  ["ёж.рф", "xn--f1a7c.xn--p1ai"],
  ["faß.example", "xn--fa-hia.example"],
  ["例え.テスト", "xn--r8jz45g.xn--zckzah"],
  ["Example。com.", "example.com"],
] as const;
/** The same websites again, in other spellings. */
const repetitions = ["xn--bcher-kva.example", " BÜCHER.example.", "XN--F1A7C.xn--p1ai", "example.COM"];
const realDomains = readRealDomains().filter((domain) => domain !== "example.com");
const listed = [...realDomains.slice(0, 291 - spellings.length), ...spellings.map(([, domain]) => domain)];
const surplus = realDomains.slice(1000, 1030);

/** What the file says about the website at this position. */
function settingsOf(index: number) {
  const [privacy, email] = [(index % 2) as 0 | 1, (index % 3 === 0 ? 1 : 0) as 0 | 1];
  return { privacy, email, exclude_params: index % 4 === 0 ? [] : ["utm_*", `p${index}`] };
}

function toLine(name: string, index: number): string {
  const { privacy, email, exclude_params } = settingsOf(index);
  const names = [["Public", "Private"][privacy], ["Disabled", "Enabled"][email]];
  return `"${name}",${names},${exclude_params.join(" ")}`;
}

/** 300 rows: 291 websites, four repetitions, and the rows in between. */
function toCsv(lastRows: readonly string[]): string {
  const names = new Map<string, string>(spellings.map(([name, domain]) => [domain, name]));
  const rows = listed.map((domain, index) => toLine(names.get(domain) ?? domain, index));
  const repeated = repetitions.map((name) => toLine(name, 7));
  return ["domain,privacy,email,exclude_params", ...rows, ...repeated, ...lastRows, ""].join("\r\n");
}

const valid = ["a.example", "b.example", "c.example", "d.example", "e.example"].map((name) => toLine(name, 5));
const invalid = valid.with(1, '"https://b.example",Public,Disabled,').with(3, '"d.example",Secret,Disabled,');

test("examples/sync.ts makes an account match a file of 300 rows, and writes nothing the second time", async () => {
  await using server = await startBuiltServer();
  const { id: accountId, apiKey } = await server.createAccount();
  const { websites } = new Siteward({ apiKey, baseUrl: server.url });
  // What is there before: websites to delete, one to keep in another spelling, with what the file does not say, some to change,
  // and some that are as the file says.
  const before: CreateWebsite[] = [
    ...surplus.map((domain) => ({ domain })),
    { domain: "Bücher.example", exclude_bots: 0, exclude_ips: ["203.0.113.7"] },
    ...listed.slice(0, 60).map((domain) => ({ domain, email: 1 as const, exclude_params: ["old"] })),
    ...listed.slice(60, 120).map((domain, index) => ({ domain, ...settingsOf(60 + index) })),
  ];
  await mapConcurrently(before, 8, (website) => websites.create(website));

  // Somebody else creates this website after the example has listed all of them, and before it creates it itself.
  const conflict = listed[200] ?? "";
  await using proxy = await startWatchingProxy(server.url, async ({ method, body }) => {
    if (method === "POST" && body.includes(`"${conflict}"`)) await websites.create({ domain: conflict, privacy: 0 });
  });
  const sync = async (rows: readonly string[]) => {
    const outcome = await syncFile(toCsv(rows), { apiKey, url: proxy.url });
    const requests = proxy.takeRequests();
    return { ...outcome, writes: requests.filter((request) => !request.startsWith("GET ")) };
  };
  const first = await sync(invalid);
  expect(first.errors.split("\n")).toEqual([
    'websites.csv:298: domain "https://b.example" contains a scheme; send "b.example".',
    expect.stringMatching(/:300: .*privacy is "Secret"; send 0 \(Public\), 1 \(Private\) or 2 \(Password\)/),
    "",
  ]);
  expect(first).toMatchObject({ status: 1, output: "{ created: 172, updated: 62, refused: 2, deleted: 0 }\n" });

  const second = await sync(valid);
  expect(second).toEqual({
    status: 0,
    errors: "",
    output: "{ created: 2, updated: 0, refused: 0, deleted: 30 }\n",
    writes: expect.objectContaining({ length: 32 }),
  });
  const stored = await websites.list({ sort: "asc" }).toArray({ limit: Infinity });
  const expected = new Map(listed.map((domain, index) => [domain, settingsOf(index)]));
  for (const domain of ["a", "b", "c", "d", "e"]) expected.set(`${domain}.example`, settingsOf(5));
  expect(
    new Map(stored.map(({ domain, privacy, email, exclude_params }) => [domain, { privacy, email, exclude_params }])),
  ).toEqual(expected);
  expect(stored).toHaveLength(296);
  expect(await websites.getByDomain("Bücher.example")).toMatchObject({
    id: 31,
    exclude_bots: 0,
    exclude_ips: ["203.0.113.7"],
  });

  const changes = await server.operate("audit", "--account", String(accountId));
  const third = await sync(valid);
  expect(third).toEqual({
    status: 0,
    errors: "",
    output: "{ created: 0, updated: 0, refused: 0, deleted: 0 }\n",
    writes: [],
  });
  expect(await server.operate("audit", "--account", String(accountId))).toEqual(changes);
});

describe("examples/sync.ts with a file or a service that is not as it should be", () => {
  const header = "domain,privacy,email,exclude_params";

  test.for([
    ["only a header", [header]],
    ["fewer websites than it would delete", [header, toLine("a.example", 5)]],
  ] as const)("deletes nothing if the file has %s", async ([, lines]) => {
    const fake = createFakeSiteward({ websites: [{ domain: "b.example" }, { domain: "c.example" }] });
    const { status, output, errors } = await syncWithFake(lines.join("\n"), fake);
    expect({ status, output }).toEqual({ status: 1, output: "" });
    expect(errors).toMatch(/^Error: .*websites\.csv lists too few websites to delete 2 others\.$/m);
    expect(fake.requests.map(({ method }) => method)).not.toContain("DELETE");
  });

  test("deletes as many websites as the file lists", async () => {
    const fake = createFakeSiteward({ websites: [{ domain: "b.example" }] });
    const file = [header, toLine("a.example", 5)].join("\n");
    const outcome = await syncWithFake(file, fake);
    expect(outcome).toMatchObject({ status: 0, output: "{ created: 1, updated: 0, refused: 0, deleted: 1 }\n" });
  });

  test("stops at the first row if the service fails, and does not call the row refused", async () => {
    const fake = createFakeSiteward();
    fake.failNext({ code: "insufficient_scope", method: "POST", times: Infinity });
    const file = [header, toLine("a.example", 5), toLine("b.example", 5)].join("\n");
    const { status, output, errors } = await syncWithFake(file, fake);
    expect({ status, output }).toEqual({ status: 1, output: "" });
    expect(errors).toMatch(/^ApiError: .*insufficient_scope/m);
    expect(fake.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  test("reads a file that begins with a byte order mark, as Excel writes it", async () => {
    const fake = createFakeSiteward();
    const file = ["\uFEFFdomain,privacy,email,exclude_params", toLine("a.example", 5)].join("\r\n");
    const outcome = await syncWithFake(file, fake);
    expect(outcome).toMatchObject({ status: 0, output: "{ created: 1, updated: 0, refused: 0, deleted: 0 }\n" });
  });

  test.for(header.split(","))("names a column that is missing, and sends nothing: %s", async (column) => {
    const fake = createFakeSiteward();
    const file = [header.replace(column, "other"), toLine("a.example", 5)].join("\n");
    const { status, errors } = await syncWithFake(file, fake);
    expect(status).toBe(1);
    expect(errors).toMatch(new RegExp(`^Error: .*websites\\.csv has no column "${column}"\\.$`, "m"));
    expect(fake.requests).toEqual([]);
  });
});

test("examples/sync.ts is shorter than 40 lines", () => {
  expect(readFileSync(example, "utf8").trim().split("\n").length).toBeLessThan(40);
});

interface Outcome {
  readonly status: number;
  readonly output: string;
  readonly errors: string;
}

async function syncWithFake(csv: string, fake: FakeSiteward): Promise<Outcome> {
  await using proxy = await startWatchingProxy(fake.baseUrl, async () => {}, fake.fetch);
  return await syncFile(csv, { apiKey: fake.apiKey, url: proxy.url });
}

/** Runs the example with `--prune` in a folder that contains this file. */
async function syncFile(csv: string, service: { readonly apiKey: string; readonly url: string }): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "siteward-sync-"));
  try {
    writeFileSync(join(folder, "websites.csv"), csv);
    const env = { ...process.env, SITEWARD_API_KEY: service.apiKey, SITEWARD_BASE_URL: service.url };
    return await run([example, "websites.csv", "--prune"], { cwd: folder, env });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(commandLine: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const child = execFile(process.execPath, commandLine, options, (_error, output, errors) => {
    resolve({ status: child.exitCode ?? -1, output, errors });
  });
  return promise;
}
