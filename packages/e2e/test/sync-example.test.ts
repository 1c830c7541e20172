import { writeFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CreateWebsite, Siteward } from "@siteward/sdk";
import { startProxy } from "@siteward/testing/proxy";
import { type ProcessResult, startProcess } from "@siteward/testing/start-process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BuiltServer, startBuiltServer } from "./support/built-server.ts";
import { repositoryRoot } from "./support/documented-pages.ts";

const header = "domain,privacy,email,exclude_params";
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
const plain = Array.from({ length: 30 }, (_, index) => `site-${index}.example`);
const names = [...plain, ...spellings.map(([name]) => name)];
const domains = [...plain, ...spellings.map(([, domain]) => domain)];
/** What is there before and not in the file. */
const surplus = ["old-1.example", "old-2.example", "old-3.example"];

/** What the file says about the website at this position. */
function settingsOf(index: number) {
  const [privacy, email] = [(index % 2) as 0 | 1, (index % 3 === 0 ? 1 : 0) as 0 | 1];
  return { privacy, email, exclude_params: index % 4 === 0 ? [] : ["utm_*", `p${index}`] };
}

/** Its row names the first parameter twice, which the service stores once. */
function toLine(name: string, index: number): string {
  const { privacy, email, exclude_params } = settingsOf(index);
  const names = [...exclude_params, ...exclude_params.slice(0, 1)].join(" ");
  return `"${name}",${["Public", "Private"][privacy]},${["Disabled", "Enabled"][email]},${names}`;
}

let server: BuiltServer;
beforeAll(async () => {
  server = await startBuiltServer();
});
afterAll(() => server[Symbol.asyncDispose]());

test("examples/sync.ts makes an account match a file, and writes nothing the second time", async () => {
  const { id: accountId, apiKey } = await server.createAccount();
  const { websites } = new Siteward({ apiKey, baseUrl: server.url });
  // Websites to delete, one to keep in another spelling, with what the file does not say, some to change, some as the file says.
  const before: readonly CreateWebsite[] = [
    ...surplus.map((domain) => ({ domain })),
    { domain: "Bücher.example", exclude_bots: 0, exclude_ips: ["203.0.113.7"] },
    ...domains.slice(0, 10).map((domain) => ({ domain, email: 1 as const, exclude_params: ["old"] })),
    ...domains.slice(10, 20).map((domain, index) => ({ domain, ...settingsOf(10 + index) })),
  ];
  for (const website of before) await websites.create(website);
  // Somebody else creates this website after the example has listed all of them, and before it creates it itself.
  const conflict = "site-25.example";
  await using proxy = await startProxy(server.url, () => ({
    sent: async (bytes) => {
      if (bytes.includes(`"domain":"${conflict}"`)) await websites.upsert({ domain: conflict, privacy: 0 });
      return bytes;
    },
  }));
  const rows = [...names.map(toLine), ...repetitions.map((name) => toLine(name, 7))];
  const sync = (last: readonly string[]) => syncFile([header, ...rows, ...last, ""].join("\r\n"), apiKey, proxy.url);

  const first = await sync(['"https://b.example",Public,Disabled,', '"d.example",Secret,Disabled,']);
  expect(first.stderr.split("\n")).toEqual([
    'websites.csv:41: domain "https://b.example" contains a scheme; send "b.example".',
    expect.stringMatching(/:42: .*privacy is "Secret"; send 0 \(Public\), 1 \(Private\) or 2 \(Password\)/),
    "",
  ]);
  expect(first).toMatchObject({ exitCode: 1, stdout: "{ created: 13, updated: 12, refused: 2, deleted: 0 }\n" });

  const valid = [toLine("b.example", 5), toLine("d.example", 5), '"e.example",1,0,"a,b\nc\td\u00a0"'];
  const done = "{ created: 3, updated: 0, refused: 0, deleted: 3 }\n";
  expect(await sync(valid)).toEqual({ exitCode: 0, stderr: "", stdout: done });
  const stored = await websites.list().toArray({ limit: Infinity });
  const expected = domains.map((domain, index) => ({ domain, ...settingsOf(index) }));
  expected.push({ domain: "b.example", ...settingsOf(5) }, { domain: "d.example", ...settingsOf(5) });
  expected.push({ domain: "e.example", privacy: 1, email: 0, exclude_params: ["a", "b", "c", "d"] });
  expect(stored).toHaveLength(expected.length);
  expect(stored).toEqual(expect.arrayContaining(expected.map((website) => expect.objectContaining(website))));
  const kept = { id: 4, exclude_bots: 0, exclude_ips: ["203.0.113.7"] };
  expect(await websites.getByDomain("Bücher.example")).toMatchObject(kept);

  const changes = await server.operate("audit", "--account", String(accountId));
  const nothing = "{ created: 0, updated: 0, refused: 0, deleted: 0 }\n";
  expect(await sync(valid)).toEqual({ exitCode: 0, stderr: "", stdout: nothing });
  expect(await server.operate("audit", "--account", String(accountId))).toEqual(changes);
});

test("examples/sync.ts deletes nothing if the file lists fewer websites than it would delete, and as many otherwise", async () => {
  const { apiKey } = await server.createAccount();
  const { websites } = new Siteward({ apiKey, baseUrl: server.url });
  for (const domain of ["b.example", "c.example"]) await websites.create({ domain });
  // Excel writes a byte order mark.
  const refused = await syncFile(`\uFEFF${header}\n${toLine("a.example", 5)}\n`, apiKey);
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toMatch(/^Error: .*websites\.csv lists too few websites to delete 2 others\.$/m);
  expect((await websites.list()).meta.total).toBe(3);
  const { stdout } = await syncFile([header, toLine("a.example", 5), toLine("d.example", 5)].join("\n"), apiKey);
  expect(stdout).toBe("{ created: 1, updated: 0, refused: 0, deleted: 2 }\n");
});

test("examples/sync.ts stops at the first row if the service refuses the key, and does not call the row refused", async () => {
  const { apiKey } = await server.createAccount({ scopes: ["websites:read"] });
  const { exitCode, stdout, stderr } = await syncFile(`${header}\n${toLine("a.example", 5)}\n`, apiKey);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toMatch(/^ApiError: .*insufficient_scope/m);
});

test("examples/sync.ts names a column that is missing, and sends nothing", async () => {
  const file = [header.replace("email", "other"), toLine("a.example", 5)].join("\n");
  const { exitCode, stderr } = await syncFile(file, "swk_wrong0000000000000000000000000000iZPib");
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^Error: .*websites\.csv has no column "email"\.$/m);
});

/** Runs the example with `--prune` in a folder that contains this file. */
async function syncFile(csv: string, apiKey: string, url: string = server.url): Promise<ProcessResult> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-sync-"));
  writeFileSync(join(folder.path, "websites.csv"), csv);
  const env = { ...process.env, NO_COLOR: "1", SITEWARD_API_KEY: apiKey, SITEWARD_BASE_URL: url };
  const words = [process.execPath, join(repositoryRoot, "examples/sync.ts"), "websites.csv", "--prune"];
  return await startProcess(words, { cwd: folder.path, env, stdin: "" }).ended;
}
