import { expect, test } from "vitest";
import { describeOnEveryEngine, engines } from "./support/engines.ts";
import { fillTrailOf } from "./support/storage/fill-audit-trail.ts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

const websites = "/api/v1/websites";
const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);

describeOnEveryEngine("siteward-server audit", (engine) => {
  test("shows each change as one readable line, the newest first, or as JSON", async () => {
    await using server = await startTestServer(engine);
    await changeWebsites(server);
    const prefix = server.key.slice(0, 12);
    const { stdout, stderr, exitCode } = await server.run("audit --account 1 --website 1");
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
    for (const limit of ["500", "none"]) await server.run(`accounts update 1 --website-limit ${limit}`);
    expect((await server.run("audit --account 1")).stdout).toMatch(
      / website_limit 500 → unset\n.* website_limit unset → 500\n/,
    );
    const all = await server.operate("audit --account 1");
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
    const accountsOf = (entries: readonly { account_id: number }[]) => entries.map(({ account_id }) => account_id);
    const times = (account: number, count: number) => Array.from({ length: count }, () => account);
    const few = await database.operate("audit --limit 2");
    expect([few.has_more, accountsOf(few.data)]).toEqual([true, [1, 1, 2, 2, 3, 3]]);
    const { stdout } = await database.run("audit --ndjson");
    const all = linesOf(stdout).map((line) => JSON.parse(line));
    expect(accountsOf(all)).toEqual([...times(1, 3), ...times(2, 120), ...times(3, 2)]);
    const one = await database.operate("audit --account 2 --limit 120");
    expect(one).toEqual({ data: all.slice(3, 123), has_more: false });
  });

  test("selects the changes of a website, of a key and since a time", async () => {
    await using server = await startTestServer(engine);
    await changeWebsites(server);
    const second = await server.addKey();
    await server.call("PUT", `${websites}/2`, { key: second, form: { email: 1 } });
    const select = async (option: string): Promise<string[]> => {
      const { data } = await server.operate(`audit --account 1 ${option}`);
      return data.map(({ action, subject_id }: Record<string, unknown>) => `${action} ${subject_id}`);
    };
    expect(await select("--website 2")).toEqual(["website.updated 2", "website.created 2"]);
    expect(await select(`--key ${second.slice(0, 12)}`)).toEqual(["website.updated 2"]);
    expect(await select("--since 1h")).toEqual(expect.arrayContaining(["website.updated 2", "api_key.created 2"]));
    expect(await select("--since 2999-01-01")).toEqual([]);
    expect(await select("--website 99")).toEqual([]);
  });

  test("streams a long trail as NDJSON, and tells that a list is not all", async () => {
    await using database = await engine({ isMigrated: true });
    await fillTrailOf(database.databaseUrl, [2_500]);
    const { stdout, exitCode } = await database.run("audit --account 1 --ndjson");
    const parse = (text: string) => linesOf(text).map((line) => JSON.parse(line));
    const lines = parse(stdout);
    expect([exitCode, lines.length]).toEqual([0, 2_500]);
    const few = await database.run("audit --account 1 --ndjson --limit 150");
    expect(parse(few.stdout)).toEqual(lines.slice(0, 150));
    const list = await database.run("audit --account 1");
    expect(linesOf(list.stdout)).toHaveLength(51);
    expect(list.stderr).toMatch(/^There are more entries\. /);
  });
});

test("an audit shows nothing that a terminal obeys, whatever is stored", async () => {
  await using database = await engines.sqlite({ isMigrated: true });
  await fillTrailOf(database.databaseUrl, [1]);
  const hostile = "\u001b[2J\u009b31m\u202eevil\u0007\r\n";
  const changes = JSON.stringify({ [`a${hostile}`]: [hostile, [hostile]] });
  await database.execute(`update audit_entries set api_key = null, operator = '${hostile}', changes = '${changes}'`);
  for (const option of [" --json", " --ndjson", ""]) {
    const { stdout } = await database.run(`audit --account 1${option}`);
    expect(stdout).toContain("evil");
    expect(linesOf(stdout).length).toBe(option === "" ? 2 : 1);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
    expect(stdout.replaceAll(/\r?\n/g, "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  }
});

async function changeWebsites({ call }: TestServer): Promise<void> {
  await call("POST", websites, { form: { domain: "a.example", privacy: 2, password: "a long password" } });
  await call("PUT", `${websites}/1`, { form: { privacy: 0 } });
  await call("PUT", `${websites}/1`, { json: { email: 1, exclude_params: ["utm_*"] } });
  await call("DELETE", `${websites}/1`);
  await call("POST", websites, { form: { domain: "b.example" } });
}

function linesOf(text: string): string[] {
  return text.trimEnd().split("\n");
}
