import type { ProcessResult } from "@siteward/testing/start-process";
import { expect, test } from "vitest";
import { describeOnEveryEngine } from "./support/engines.ts";
import { readJson } from "./support/read-json.ts";
import { runInProcess as run } from "./support/run-in-process.ts";
import { fillTrailOf } from "./support/storage/fill-audit-trail.ts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

const websites = "/api/v1/websites";
const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

describeOnEveryEngine("siteward-server audit", (engine) => {
  test("shows each change as one readable line, the newest first, or as JSON", async () => {
    await using server = await startTestServer(engine);
    await changeWebsites(server);
    const prefix = server.key.slice(0, 12);
    const { stdout, stderr, exitCode } = await audit(server, "--website", "1");
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    const [headings, ...rows] = linesOf(stdout);
    expect(headings).toMatch(/^ACCOUNT +TIME +BY +ACTION +RECORD +CHANGES$/);
    expect(
      rows.map((row) =>
        row
          .replace(/^1 +\S+Z/, "")
          .replaceAll(prefix, "swk")
          .trim()
          .split(/ {2,}/),
      ),
    ).toEqual([
      ["swk", "website.deleted", "website 1", expect.stringMatching(/^domain a\.example, privacy 0, email 1, /)],
      ["swk", "website.updated", "website 1", `email 0 → 1, exclude_params added ["utm_*"]`],
      ["swk", "website.updated", "website 1", "privacy 2 → 0, password cleared"],
      ["swk", "website.created", "website 1", expect.stringMatching(/^domain a\.example, privacy 2,.*, password set$/)],
    ]);
    for (const limit of ["500", "none"])
      await run(["accounts", "update", "1", "--website-limit", limit], environmentOf(server));
    expect((await audit(server)).stdout).toMatch(/ website_limit 500 → unset\n.* website_limit unset → 500\n/);
    const all = readJson(await audit(server, "--json"));
    expect(all.data.find(({ action }: { action: string }) => action === "website.created")).toEqual({
      account_id: 1,
      at: time,
      action: "website.created",
      subject: "website",
      subject_id: 2,
      version: 1,
      actor: { api_key: prefix },
      request_id: expect.any(String),
      changes: expect.objectContaining({ domain: { from: null, to: "b.example" } }),
    });
  });

  test("without an account, shows the changes of all, one account after the other", async () => {
    await using database = await engine({ isMigrated: true });
    await fillTrailOf(database.databaseUrl, [3, 120, 2]);
    const environment = { DATABASE_URL: database.databaseUrl };
    const accountsOf = (entries: readonly { account_id: number }[]) => entries.map(({ account_id }) => account_id);
    const times = (account: number, count: number) => Array.from({ length: count }, () => account);
    const few = readJson(await run(["audit", "--json", "--limit", "2"], environment));
    expect([few.has_more, accountsOf(few.data)]).toEqual([true, [1, 1, 2, 2, 3, 3]]);
    const { stdout } = await run(["audit", "--ndjson"], environment);
    const all = linesOf(stdout).map((line) => JSON.parse(line));
    expect(accountsOf(all)).toEqual([...times(1, 3), ...times(2, 120), ...times(3, 2)]);
    const one = readJson(await run(["audit", "--json", "--account", "2", "--limit", "120"], environment));
    expect(one).toEqual({ data: all.slice(3, 123), has_more: false });
  });

  test("selects the changes of a website, of a key and since a time", async () => {
    await using server = await startTestServer(engine);
    await changeWebsites(server);
    const second = await server.addKey();
    await server.call("PUT", `${websites}/2`, { key: second, form: { email: 1 } });
    const select = (...options: string[]) => selectActions(server, ...options);
    const created = "website.created";
    expect(await select("--website", "2")).toEqual(["website.updated 2", `${created} 2`]);
    expect(await select("--key", second.slice(0, 12))).toEqual(["website.updated 2"]);
    expect(await select("--since", "1h")).toEqual(expect.arrayContaining(["website.updated 2", "api_key.created 2"]));
    expect(await select("--since", "2999-01-01")).toEqual([]);
    expect(await select("--website", "99")).toEqual([]);
  });

  test("streams a long trail as NDJSON, and tells that a list is not all", async () => {
    await using database = await engine({ isMigrated: true });
    await fillTrailOf(database.databaseUrl, [2_500]);
    const environment = { DATABASE_URL: database.databaseUrl };
    const { stdout, exitCode } = await run(["audit", "--account", "1", "--ndjson"], environment);
    const parse = (text: string) => linesOf(text).map((line) => JSON.parse(line));
    const lines = parse(stdout);
    expect([exitCode, lines.length]).toEqual([0, 2_500]);
    const few = await run(["audit", "--account", "1", "--ndjson", "--limit", "150"], environment);
    expect(parse(few.stdout)).toEqual(lines.slice(0, 150));
    const list = await run(["audit", "--account", "1"], environment);
    expect(linesOf(list.stdout)).toHaveLength(51);
    expect(list.stderr).toMatch(/^There are more entries\. /);
  });

  test("shows nothing that a terminal obeys, whatever is stored", async () => {
    await using database = await engine({ isMigrated: true });
    await fillTrailOf(database.databaseUrl, [1]);
    const hostile = "\u001b[2J\u009b31m\u202eevil\u0007\r\n";
    const changes = JSON.stringify({ [`a${hostile}`]: [hostile, [hostile]] });
    await database.execute(`update audit_entries set api_key = null, operator = '${hostile}', changes = '${changes}'`);
    const environment = { DATABASE_URL: database.databaseUrl };
    for (const option of ["--json", "--ndjson", undefined]) {
      const words = ["audit", "--account", "1", ...(option === undefined ? [] : [option])];
      const { stdout } = await run(words, environment);
      expect(stdout).toContain("evil");
      expect(linesOf(stdout).length).toBe(option === undefined ? 2 : 1);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
      expect(stdout.replaceAll(/\r?\n/g, "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    }
  });
});

function audit(server: TestServer, ...options: string[]): Promise<ProcessResult> {
  return run(["audit", "--account", "1", ...options], environmentOf(server));
}

function environmentOf({ databaseUrl }: TestServer) {
  return { DATABASE_URL: databaseUrl };
}

async function changeWebsites({ call }: TestServer): Promise<void> {
  await call("POST", websites, { form: { domain: "a.example", privacy: 2, password: "a long password" } });
  await call("PUT", `${websites}/1`, { form: { privacy: 0 } });
  await call("PUT", `${websites}/1`, { json: { email: 1, exclude_params: ["utm_*"] } });
  await call("DELETE", `${websites}/1`);
  await call("POST", websites, { form: { domain: "b.example" } });
}

/** Returns the action and the record of each entry that these options select. */
async function selectActions(server: TestServer, ...options: string[]): Promise<string[]> {
  const { data } = readJson(await audit(server, "--json", ...options));
  return data.map(({ action, subject_id }: Record<string, unknown>) => `${action} ${subject_id}`);
}

function linesOf(text: string): string[] {
  return text.trimEnd().split("\n");
}
