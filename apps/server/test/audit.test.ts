import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../src/storage/database/open-database.ts";
import { describeOnEveryEngine, engines } from "./support/engines.ts";
import { readJson } from "./support/read-json.ts";
import { runInProcess as run } from "./support/run-in-process.ts";
import type { ProgramResult } from "./support/run-program.ts";
import { fillAuditTrail } from "./support/storage/fill-audit-trail.ts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

const websites = "/api/v1/websites";
const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

describeOnEveryEngine("siteward-server audit", (engine) => {
  test("shows each change of a website as one readable line, the newest first", async () => {
    await using server = await startTestServer(engine);
    await changeWebsites(server);
    const prefix = server.key.slice(0, 12);
    const { stdout, stderr, exitCode } = await audit(server, "--website", "1");
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    const [headings, ...rows] = linesOf(stdout);
    expect(headings).toMatch(/^TIME +BY +ACTION +RECORD +CHANGES$/);
    expect(rows.map((row) => row.replace(/^\S+Z/, "").replaceAll(prefix, "swk").trim().split(/ {2,}/))).toEqual([
      ["swk", "website.deleted", "website 1", expect.stringMatching(/^domain a\.example, privacy 0, email 1, /)],
      ["swk", "website.updated", "website 1", `email 0 → 1, exclude_params added ["utm_*"]`],
      ["swk", "website.updated", "website 1", "privacy 2 → 0, password cleared"],
      ["swk", "website.created", "website 1", expect.stringMatching(/^domain a\.example, privacy 2,.*, password set$/)],
    ]);
  });

  test("prints one JSON object with the entries and the cursor of the next page, and each entry is on one page", async () => {
    await using server = await startTestServer(engine);
    await changeWebsites(server);
    const all = readJson(await audit(server, "--json"));
    expect(all.next_cursor).toBeNull();
    expect(all.data.find(({ action }: { action: string }) => action === "website.created")).toEqual({
      at: time,
      action: "website.created",
      subject: "website",
      subject_id: 2,
      version: 1,
      actor: { api_key: server.key.slice(0, 12) },
      request_id: expect.any(String),
      changes: expect.objectContaining({ domain: { from: null, to: "b.example" } }),
    });
    const paged: unknown[] = [];
    let cursor: string | null = null;
    do {
      const more: string[] = cursor === null ? [] : ["--cursor", cursor];
      const page = readJson(await audit(server, "--json", "--limit", "2", ...more));
      paged.push(...page.data);
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(paged).toEqual(all.data);
  });

  test("selects the changes of a website, of a key, since a time and of some actions", async () => {
    await using server = await startTestServer(engine);
    await changeWebsites(server);
    const second = await server.addKey();
    await server.call("PUT", `${websites}/2`, { key: second, form: { email: 1 } });
    const select = (...options: string[]) => selectActions(server, ...options);
    const created = "website.created";
    expect(await select("--website", "2")).toEqual(["website.updated 2", `${created} 2`]);
    expect(await select("--key", second.slice(0, 12))).toEqual(["website.updated 2"]);
    expect(await select("--action", `${created}, website.deleted`)).toEqual([
      `${created} 2`,
      "website.deleted 1",
      `${created} 1`,
    ]);
    expect(await select("--since", "1h", "--action", created)).toEqual([`${created} 2`, `${created} 1`]);
    expect(await select("--since", "2999-01-01")).toEqual([]);
    expect(await select("--website", "99")).toEqual([]);
  });

  test("selects the changes of a domain, of each website that had it, in whatever form the domain is written", async () => {
    await using server = await startTestServer(engine);
    await changeWebsites(server);
    await server.call("POST", websites, { form: { domain: "A.example" } });
    await server.call("POST", websites, { form: { domain: "bücher.example" } });
    await server.call("POST", websites, { form: { domain: "gone.example" } });
    await server.call("DELETE", `${websites}/5`);
    const select = (website: string) => selectActions(server, "--website", website);
    const both = ["created 3", "deleted 1", "updated 1", "updated 1", "created 1"].map((entry) => `website.${entry}`);
    expect(await select("a.example")).toEqual(both);
    expect(await select(" A.EXAMPLE. ")).toEqual(both);
    expect(await select("Bücher.example")).toEqual(["website.created 4"]);
    expect(await select("gone.example")).toEqual(["website.deleted 5", "website.created 5"]);
  });

  test("prints all entries as CSV, in which no cell is a formula", async () => {
    await using server = await startTestServer(engine);
    await changeWebsites(server);
    const operator = { apiKey: null, operator: "=cmd()", requestId: null };
    await server.storage.websites.update(server.accountId, 2, () => ({ exclude_params: ["a,b"] }), operator);
    const { data } = readJson(await audit(server, "--json"));
    const { stdout, exitCode } = await audit(server, "--csv");
    expect([exitCode, stdout.endsWith("\r\n")]).toEqual([0, true]);
    const [header, first, ...rows] = stdout.trimEnd().split("\r\n");
    expect(header).toBe("at,action,subject,subject_id,version,api_key,operator,request_id,changes");
    expect(first).toBe(
      `${data[0].at},website.updated,website,2,2,,'=cmd(),,"{""exclude_params"":{""added"":[""a,b""],""removed"":[]}}"`,
    );
    expect(rows).toHaveLength(data.length - 1);
    for (const [index, row] of rows.entries()) {
      const { at, action, subject, subject_id, version, actor, request_id } = data[index + 1];
      const { api_key = "", operator: name = "" } = actor;
      expect(row).toContain([at, action, subject, subject_id, version, api_key, name, request_id].join(","));
    }
  });

  test("streams a long trail as NDJSON, and tells how to continue a list", async () => {
    await using database = await engine({ isMigrated: true });
    await fill(database.databaseUrl, [2_500]);
    const environment = { DATABASE_URL: database.databaseUrl };
    const { stdout, exitCode } = await run(["audit", "--account", "1", "--ndjson"], environment);
    const parse = (text: string) => linesOf(text).map((line) => JSON.parse(line));
    const lines = parse(stdout);
    expect([exitCode, lines.length]).toEqual([0, 2_500]);
    const few = await run(["audit", "--account", "1", "--ndjson", "--limit", "150"], environment);
    expect(parse(few.stdout)).toEqual(lines.slice(0, 150));
    const csv = await run(["audit", "--account", "1", "--csv"], environment);
    expect(linesOf(csv.stdout)).toHaveLength(2_501);
    const list = await run(["audit", "--account", "1"], environment);
    expect(linesOf(list.stdout)).toHaveLength(51);
    expect(list.stderr).toMatch(/^There are older entries\. Add --cursor \S+ to see them\.\n$/);
  });

  test("shows nothing that a terminal obeys, whatever is stored", async () => {
    await using database = await engine({ isMigrated: true });
    await fill(database.databaseUrl, [1]);
    const hostile = "\u001b[2J\u009b31m\u202eevil\u0007\r\n";
    const changes = JSON.stringify({ [`a${hostile}`]: [hostile, [hostile]] });
    await database.execute(`update audit_entries set api_key = null, operator = '${hostile}', changes = '${changes}'`);
    const environment = { DATABASE_URL: database.databaseUrl };
    for (const option of ["--json", "--ndjson", "--csv", undefined]) {
      const words = ["audit", "--account", "1", ...(option === undefined ? [] : [option])];
      const { stdout } = await run(words, environment);
      expect(stdout).toContain("evil");
      expect(linesOf(stdout).length).toBe(option === undefined || option === "--csv" ? 2 : 1);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
      expect(stdout.replaceAll(/\r?\n/g, "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    }
  });
});

test("audit creates no database", async () => {
  await using database = await engines.sqlite();
  const result = await run(["audit", "--account", "1"], { DATABASE_URL: database.databaseUrl });
  expect(result).toMatchObject({ exitCode: 1, stdout: "" });
  expect(await readdir(dirname(database.databaseUrl.slice("file:".length)))).toEqual([]);
});

function audit(server: TestServer, ...options: string[]): Promise<ProgramResult> {
  return run(["audit", "--account", "1", ...options], { DATABASE_URL: server.databaseUrl });
}

async function changeWebsites({ call }: TestServer): Promise<void> {
  await call("POST", websites, { form: { domain: "a.example", privacy: 2, password: "a long password" } });
  await call("PUT", `${websites}/1`, { form: { privacy: 0 } });
  await call("PUT", `${websites}/1`, { json: { email: 1, exclude_params: ["utm_*"] } });
  await call("DELETE", `${websites}/1`);
  await call("POST", websites, { form: { domain: "b.example" } });
}

async function fill(databaseUrl: string, counts: number[]): Promise<void> {
  const database = await openDatabase({ databaseUrl });
  await fillAuditTrail(database, counts);
  await database.close();
}

/** Returns the action and the record of each entry that these options select. */
async function selectActions(server: TestServer, ...options: string[]): Promise<string[]> {
  const { data } = readJson(await audit(server, "--json", ...options));
  return data.map(({ action, subject_id }: Record<string, unknown>) => `${action} ${subject_id}`);
}

function linesOf(text: string): string[] {
  return text.trimEnd().split("\n");
}
