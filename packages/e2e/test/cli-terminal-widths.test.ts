import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, startBuiltServer } from "./support/built-server.ts";
import { type CliAccount, createCliAccount } from "./support/cli-account.ts";
import { startGatedProxy } from "./support/gated-proxy.ts";
import { openCliTerminal, runInTerminal, type Transcript } from "./support/open-cli-terminal.ts";
import { drawnLines, hasDrawn, unfittingLines } from "./support/screen-faults.ts";
import { longestDomain, variedWebsites } from "./support/varied-websites.ts";

const widths = [40, 60, 80, 100, 200];
const maxCardColumns = 49;

const siteFile = `version: 1
defaults: { privacy: private }
websites:
  - example.com
  - ${"q".repeat(63)}.example
  - 例え.新しい
  - domain: lists.example
    exclude_params: [utm_*, fbclid, gclid, "${"y".repeat(128)}"]
    exclude_ips: [203.0.113.0/24, 2001:db8::/32]
  - domain: new.example
    privacy: password
    password_env: A_VARIABLE_WITH_A_VERY_LONG_NAME_FOR_THE_PASSWORD
`;

const importFile = `new.example
https://bad.example/with/a/path
${"a".repeat(70)}.example
例え.jp/路
example.com
under_score.example
`;

const visitsFile = `{"url": "https://example.com/a?b=${"c".repeat(300)}", "user_agent": ""}
{"url": "https://${"q".repeat(63)}.example/", "ip": "2001:db8:1111:2222:3333:4444:5555:30"}
{"url": "https://例え.テスト/価格"}
not a visit
`;

let server: BuiltServer;
let account: CliAccount;
let folder: string;

beforeAll(async () => {
  server = await startBuiltServer();
  account = await createCliAccount(server);
  for (const website of variedWebsites) await account.siteward.websites.create(website);
  for (const name of ["x", "y", "z"]) await account.siteward.websites.create({ domain: `${name}.example` });
  folder = mkdtempSync(join(tmpdir(), "siteward-e2e-"));
  writeFileSync(join(folder, "siteward.yaml"), siteFile);
  writeFileSync(
    join(folder, "invalid.yaml"),
    "version: 1\nwebsites:\n  - example.com/\n  - domain: b.example\n    bots: 1\n",
  );
  writeFileSync(join(folder, "domains.txt"), importFile);
  writeFileSync(join(folder, "visits.ndjson"), visitsFile);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function run(commandLine: string, columns: number, env: Readonly<Record<string, string>> = {}): Promise<Transcript> {
  return runInTerminal(commandLine.split(" "), { env: { ...account.env, ...env }, columns, folder });
}

/** Expects that the terminal broke no line, that nothing drawn is left, and that the terminal is as before. */
function expectTidy(transcript: Transcript): void {
  expect(unfittingLines(transcript), "lines wider than the terminal").toEqual([]);
  expect(drawnLines(transcript), "lines with what was drawn").toEqual([]);
  expect(transcript.leftovers).toEqual([]);
}

function withoutSpaces({ text }: Transcript): string {
  return text.replaceAll(/\s/g, "");
}

describe.each(widths)("at %i columns", { concurrent: true }, (columns) => {
  test("a list shows every website in rows that fit, or as cards below 50 columns", async () => {
    const transcript = await run("websites list --sort-by id --sort asc --all", columns);
    expectTidy(transcript);
    const { lines } = transcript.screen;
    const isCards = columns <= maxCardColumns;
    expect(lines[0]).toMatch(isCards ? /^ID +1$/ : /^ID +Domain/);
    for (const [index] of variedWebsites.entries()) {
      const row = new RegExp(isCards ? `^ID +${index + 1}$` : `^${index + 1} {2,}[^ ]`);
      expect(lines.filter((line) => row.test(line))).toHaveLength(1);
    }
    for (const domain of ["example.com", "bücher.example", "例え.テスト", "हिन्दी.भारत", "xn--pple-43d.com"]) {
      expect(transcript.text).toContain(domain);
    }
    expect(transcript.exitCode).toBe(0);
  });

  test("a website is shown in full", async () => {
    const [long, lists, protectedOne] = await Promise.all([
      run(`websites get ${longestDomain}`, columns),
      run("websites get lists.example --etag", columns),
      run("websites get protected.example", columns),
    ]);
    for (const transcript of [long, lists, protectedOne]) expectTidy(transcript);
    expect(withoutSpaces(long)).toContain(longestDomain);
    expect(withoutSpaces(lists)).toContain("x".repeat(128));
    expect(withoutSpaces(lists)).toContain("2001:db8:1111:2222:3333:4444:5555:30");
    expect(protectedOne.text).toMatch(/^Password set +yes$/m);
  });

  test.each([
    ["account", 0],
    ["plan", 0],
    ["plan --prune", 0],
    ["check invalid.yaml", 2],
    ["import domains.txt --dry-run", 7],
    ["profiles list", 0],
    ["websites check example.com --url https://other.example/pricing?utm_source=mail --ip 203.0.113.7", 1],
    ["websites check example.com visits.ndjson", 7],
    ["export", 0],
    ["websites list --search nothing.matches.this.string", 0],
    ["websites list --per-page 10", 0],
    ["websites get unknown.example", 3],
    ["websites create example.com", 5],
    ["websites gte", 2],
    ["apply", 2],
  ])("`siteward %s` breaks its lines between words", async (commandLine, exitCode) => {
    const transcript = await run(commandLine, columns, commandLine === "apply" ? { CI: "true" } : {});
    if (commandLine !== "export") expectTidy(transcript);
    expect(drawnLines(transcript)).toEqual([]);
    expect(transcript.exitCode).toBe(exitCode);
  });

  test("a login shows its introduction, the prompt and the stored profile", async () => {
    const home = mkdtempSync(join(folder, "config-"));
    const { SITEWARD_API_KEY: key, SITEWARD_BASE_URL } = account.env;
    using terminal = openCliTerminal(["login"], { env: { SITEWARD_BASE_URL, SITEWARD_CONFIG_DIR: home }, columns });
    await terminal.waitFor("API key");
    terminal.type(`${key}\r`);
    const transcript = await terminal.finish();
    expectTidy(transcript);
    expect(withoutSpaces(transcript)).toContain("APIkeyin");
    expect(transcript.raw).not.toContain(key);
    expect(transcript.exitCode).toBe(0);
    const profiles = await run("profiles list", columns, { SITEWARD_CONFIG_DIR: home });
    expectTidy(profiles);
    expect(profiles.text).toContain("default");
  });

  test("nothing is left of what was drawn while the service was slow", async () => {
    await using slow = await startGatedProxy(server.url, { before: () => sleep(1300) });
    for (const commandLine of ["websites list", "import domains.txt --dry-run"]) {
      const slowRun = await run(commandLine, columns, { SITEWARD_BASE_URL: slow.url });
      expect(hasDrawn(slowRun)).toBe(true);
      expect(slowRun.text).toBe((await run(commandLine, columns)).text);
      expect(slowRun.leftovers).toEqual([]);
    }
  });
});
