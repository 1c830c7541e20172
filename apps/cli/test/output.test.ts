import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { keys, startFakeService } from "./support/fake-service.ts";
import { type RunResult, runCli } from "./support/run-cli.ts";

const domains = Array.from({ length: 230 }, (_, index) => `site-${index + 1}.example`);

async function list(...flags: readonly string[]): Promise<RunResult & { requestCount: number }> {
  await using service = await startFakeService(domains);
  const env = { SITEWARD_API_KEY: keys.full, SITEWARD_BASE_URL: service.baseUrl };
  const run = await runCli(["websites", "list", ...flags], { env });
  return { ...run, requestCount: service.requests.length };
}

describe("without a terminal", () => {
  test("a page is a JSON array of complete records, and nothing else is printed", async () => {
    const run = await list();
    const records = JSON.parse(run.stdout);
    expect(records).toHaveLength(10);
    expect(records[0]).toEqual({
      id: 1,
      domain: "site-1.example",
      privacy: 0,
      has_password: false,
      email: 0,
      exclude_bots: 1,
      exclude_params: [],
      exclude_ips: [],
      created_at: "2026-11-20T10:00:00.000Z",
      updated_at: "2026-11-20T10:00:00.000Z",
    });
    expect(run.stderr).toBe("");
  });

  test("an empty list is an empty array", async () => {
    expect((await list("--search", "nothing")).stdout).toBe("[]\n");
  });
});

describe("several pages", () => {
  test("--all is one array of every record, read 100 at a time", async () => {
    const run = await list("--all", "--fields", "id");
    expect(JSON.parse(run.stdout)).toEqual(domains.map((_, index) => ({ id: index + 1 })));
    expect(run.requestCount).toBe(3);
  });

  test("--limit reads no more pages than it needs", async () => {
    const run = await list("--limit", "120", "-o", "ndjson");
    expect(run.stdout.trim().split("\n")).toHaveLength(120);
    expect(run.requestCount).toBe(2);
  });

  test("a format that streams prints the records that were read before a failure", async () => {
    await using service = await startFakeService(domains);
    service.answerNext("usual", { problem: { status: 403, code: "insufficient_scope" } });
    const env = { SITEWARD_API_KEY: keys.full, SITEWARD_BASE_URL: service.baseUrl };
    const run = await runCli(["websites", "list", "--all", "-o", "ndjson"], { env });
    expect(run.stdout.trim().split("\n")).toHaveLength(100);
    expect(run.exitCode).toBe(4);
  });
});

describe("formats", () => {
  test("ndjson: one record per line", async () => {
    const lines = (await list("-o", "ndjson", "--fields", "domain,id")).stdout.trim().split("\n");
    expect(lines).toHaveLength(10);
    expect(lines[0]).toBe('{"domain":"site-1.example","id":1}');
  });

  test("csv: a header, and the fields in the requested order", async () => {
    const { stdout } = await list("--output=csv", "--fields", "domain,exclude_bots");
    expect(stdout.split("\r\n").slice(0, 2)).toEqual(["domain,exclude_bots", "site-1.example,1"]);
  });

  test("yaml: a sequence of records", async () => {
    const { stdout } = await list("-o", "yaml", "--fields", "id,domain");
    expect(parse(stdout)[0]).toEqual({ id: 1, domain: "site-1.example" });
  });

  test("table: without a terminal if requested, and then without color", async () => {
    const { stdout } = await list("-o", "table", "--per-page", "10");
    expect(stdout.split("\n").slice(0, 2)).toEqual([
      "ID  Domain           Privacy  E-mail  Bots excluded  Created",
      "1   site-1.example   public   off     on             2026-11-20T10:00:00.000Z",
    ]);
  });
});

test.each([
  [["--json"], "json"],
  [["-o", "csv", "--json"], "json"],
  [["--json", "-o", "csv"], "csv"],
])("--json is --output json, and the last format counts: %j", async (flags, format) => {
  expect((await list(...flags, "--fields", "id")).stdout).toBe((await list("-o", format, "--fields", "id")).stdout);
});

test("errors are text if the result is neither JSON nor NDJSON", async () => {
  const run = await runCli(["account", "-o", "csv"]);
  expect(run.stderr).toBe("Error: No API key was found.\nLog in with `siteward login`, or set SITEWARD_API_KEY.\n");
});

test("a nested field can be selected alone or with its group", async () => {
  await using service = await startFakeService();
  const env = { SITEWARD_API_KEY: keys.full, SITEWARD_BASE_URL: service.baseUrl };
  const nested = await runCli(["account", "--fields", "api_key.name,websites"], { env });
  expect(JSON.parse(nested.stdout)).toEqual({ api_key: { name: "laptop" }, websites: { count: 0, limit: null } });
  const flat = await runCli(["account", "--fields", "websites,api_key.scopes", "-o", "csv"], { env });
  expect(flat.stdout).toBe(
    'websites.count,websites.limit,api_key.scopes\r\n0,,"websites:read,websites:write,account:read"\r\n',
  );
});
