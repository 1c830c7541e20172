import { describe, expect } from "vitest";
import { openCli, test } from "./support/cli-test.ts";
import { measureCli } from "./support/measure-cli.ts";
import { errorOf, jsonOf, type RunResult, warningsOf } from "./support/run-cli.ts";
import { serveFake, unknownKey } from "./support/serve-fake.ts";

function outcomesOf(run: RunResult): unknown {
  return jsonOf(run).map(({ place, domain, outcome }: Record<string, unknown>) => [place, domain, outcome]);
}

function domainsOf({ websites }: { readonly websites: readonly { readonly domain: string }[] }): readonly string[] {
  return websites.map(({ domain }) => domain).toSorted();
}

describe("siteward import", () => {
  test("creates what is new, and prints what became of each line, in order", async ({ cli }) => {
    await cli.add("b.example");
    const stdin = "a.example\n# comment\nB.example\nbücher.example\n";
    const run = await cli.run("import - --privacy public", { stdin });
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(jsonOf(run)).toEqual([
      { place: "line 1", domain: "a.example", id: expect.any(Number), outcome: "created", reason: null },
      { place: "line 3", domain: "b.example", id: 1, outcome: "skipped", reason: "exists" },
      { place: "line 4", domain: "xn--bcher-kva.example", id: expect.any(Number), outcome: "created", reason: null },
    ]);
    expect(domainsOf(cli.fake)).toEqual(["a.example", "b.example", "xn--bcher-kva.example"]);
  });

  test("lists lines that are not valid with their reasons, imports the others, and exits with 7", async ({ cli }) => {
    const stdin =
      "domain,email,exclude_ips\na.example,on,\nb.example/x,,\nc.example,maybe,1.2.3\nd.example,,203.0.113.9/24\n";
    const run = await cli.run("import -", { stdin });
    expect(run.exitCode).toBe(7);
    expect(outcomesOf(run)).toEqual([
      ["line 2", "a.example", "created"],
      ["line 3", "b.example/x", "refused"],
      ["line 4", "c.example", "refused"],
      ["line 5", "d.example", "created"],
    ]);
    const [, second, third] = jsonOf(run);
    expect(second.reason).toBe('domain contains a path; send "b.example"');
    expect(third.reason).toMatch(
      /^email is "maybe"; send true or false, or 1 or 0; exclude_ips entry 1: "1\.2\.3" is not/,
    );
    expect(errorOf(run)).toEqual({
      code: "partly_done",
      message: "Some websites were not imported. 4 websites: 2 created, 2 refused.",
      next: "Fix the lines that were refused, then run the same command again: what is imported is not repeated.",
    });
    expect(warningsOf(run)).toEqual(["2 new websites will be public (a.example, d.example)."]);
    const sent = cli.fake.requests.map(({ body }) => body);
    expect(sent).toContainEqual({ domain: "d.example", exclude_ips: ["203.0.113.0/24"] });
  });

  test("imports no domain of which another line is refused: that one may say that it is private", async ({ cli }) => {
    const stdin = "domain,privacy,exclude_bots\na.example,private,maybe\nA.example,,\nb.example,,\n";
    const run = await cli.run("import -", { stdin });
    expect(run.exitCode).toBe(7);
    expect(domainsOf(cli.fake)).toEqual(["b.example"]);
    expect(jsonOf(run)[1]).toMatchObject({
      place: "line 3",
      outcome: "refused",
      reason: "is also on line 2, which is refused; fix that line, or remove one of the two",
    });
  });

  test("refuses a password that is missing or protects nothing, and a domain with two settings", async ({ cli }) => {
    await cli.other.websites.create({ domain: "c.example", privacy: 2, password: "battery staple" });
    const password = "correct horse";
    const stdin = JSON.stringify([
      { domain: "a.example", privacy: 2 },
      { domain: "b.example", password },
      { domain: "c.example", privacy: 2, password },
      { domain: "d.example", email: 1 },
      { domain: "d.example", email: 1 },
      { domain: "d.example", email: 0 },
    ]);
    const run = await cli.run("import - --on-conflict update", { stdin });
    expect(jsonOf(run).map(({ outcome, reason }: Record<string, unknown>) => [outcome, reason])).toEqual([
      ["refused", "password is required if privacy is password; add password_env or password_file"],
      ["refused", expect.stringMatching(/^password is not allowed if privacy is 0, .*; send privacy 2 too, or omit/)],
      // Nobody can compare passwords.
      ["updated", null],
      ["created", null],
      ["skipped", "is also on item 4"],
      ["refused", "is also on item 4, with other settings; remove one of the two"],
    ]);
  });

  test("never prints a password", async ({ cli }) => {
    const stdin = JSON.stringify([
      { domain: "a.example", privacy: 2, password: "correct horse" },
      { domain: "b.example", password: "correct horse" },
      { domain: "c.example", privacy: 2, password: "correct horse", passwort: "correct horse" },
      "https://user:correct-horse@d.example/",
    ]);
    const run = await cli.run("import -", { stdin });
    expect(run.exitCode).toBe(7);
    expect(outcomesOf(run)).toEqual([
      ["item 1", "a.example", "created"],
      ["item 2", "b.example", "refused"],
      ["item 3", "c.example", "refused"],
      ["item 4", "https://[redacted]@d.example/", "refused"],
    ]);
    expect(run.stdout + run.stderr).not.toContain("horse");
  });

  test("--dry-run shows what would be done, exits as the import would, and writes nothing", async ({ cli }) => {
    await cli.add("a.example");
    const stdin = "domain,email\na.example,on\nb.example,on\nc,on\n";
    const run = await cli.run("import - --dry-run --on-conflict update", { stdin });
    expect(run.exitCode).toBe(7);
    expect(jsonOf(run)[0].reason).toBe("changes email");
    expect(warningsOf(run)).toEqual(["1 new website will be public (b.example)."]);
    expect(outcomesOf(run)).toEqual([
      ["line 2", "a.example", "would_update"],
      ["line 3", "b.example", "would_create"],
      ["line 4", "c", "refused"],
    ]);
    expect(errorOf(run).next).toBe("Fix the lines that were refused.");
    expect(cli.writes()).toEqual([]);
  });
});

describe("--on-conflict", () => {
  test("update changes only the settings that the file states", async ({ cli }) => {
    await cli.add("a.example", "b.example");
    const stdin = "domain,email,exclude_params\na.example,on,\nb.example,off,\n";
    const run = await cli.run("import - --on-conflict update", { stdin });
    expect(run.exitCode).toBe(0);
    expect(outcomesOf(run)).toEqual([
      ["line 2", "a.example", "updated"],
      ["line 3", "b.example", "unchanged"],
    ]);
    expect(cli.fake.requests.filter(({ method }) => method === "PUT")).toMatchObject([{ body: { email: 1 } }]);
  });

  test.for(["", "--dry-run"])(
    "fail changes nothing if a website exists, and exits with 5: %j",
    async (flags, { cli }) => {
      await cli.add("b.example");
      const run = await cli.run(`import - --on-conflict fail ${flags}`, { stdin: "a.example\nb.example\n" });
      expect(run.exitCode).toBe(5);
      expect(outcomesOf(run)).toEqual([
        ["line 1", "a.example", "not_tried"],
        ["line 2", "b.example", "refused"],
      ]);
      expect(cli.writes()).toEqual([]);
    },
  );

  test.for([
    ["skip", 0, "skipped", 0],
    ["update", 0, "updated", 1],
    ["fail", 5, "refused", 0],
  ] as const)(
    "%s also applies to a domain that is taken after the account was read",
    async ([action, exitCode, outcome, email], { cli }) => {
      cli.fake.failNext({ method: "GET", when: "after", delayMs: 100 });
      const stdin = "domain,email\nmeanwhile.example,on\n";
      const running = cli.run(`import - --on-conflict ${action}`, { stdin });
      while (cli.fake.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await cli.add("meanwhile.example");
      const run = await running;
      expect(jsonOf(run)).toMatchObject([{ domain: "meanwhile.example", id: 1, outcome }]);
      expect(run.exitCode).toBe(exitCode);
      expect(cli.fake.websites[0]?.email).toBe(email);
    },
  );
});

test("a create whose answer is lost is unknown, which ends with 7, and the same command finds out", async ({ cli }) => {
  cli.fake.failNext({ method: "POST", networkError: true, when: "after" });
  const words = "import - --privacy public --retries 0";
  const run = await cli.run(words, { stdin: "a.example\nb.example\n" });
  expect(run.exitCode).toBe(7);
  expect(outcomesOf(run)).toEqual([
    ["line 1", "a.example", "unknown"],
    ["line 2", "b.example", "not_tried"],
  ]);
  expect(errorOf(run).message).toContain("(1 unknown, 1 not tried)");
  const again = await cli.run(words, { stdin: "a.example\nb.example\n" });
  expect(outcomesOf(again)).toMatchObject([{ 2: "skipped" }, { 2: "created" }]);
});

describe("an error that every website would meet", () => {
  const stdin = Array.from({ length: 20 }, (_, index) => `site-${index}.example`).join("\n");

  test("is the error of the import if nothing was done", async ({ cli }) => {
    const revoked = await cli.run("import -", { env: { SITEWARD_API_KEY: unknownKey }, stdin });
    expect(revoked).toMatchObject({ exitCode: 4, stdout: "" });
    expect(errorOf(revoked).code).toBe("unauthenticated");
    const env = { SITEWARD_API_KEY: cli.fake.createApiKey({ scopes: ["websites:read"] }) };
    expect((await cli.run("import -", { env, stdin })).exitCode).toBe(4);
    expect(cli.fake.websites).toEqual([]);
  });

  test("is explained once before it is waited for, if the service asks for five seconds", async ({ cli }) => {
    const detail = "The database is read-only and accepts no changes.";
    const fault = { code: "unavailable", method: "POST", problem: { detail } } as const;
    cli.fake.failNext({ ...fault, problem: { detail: "A short wait." }, headers: { "retry-after": "1" } });
    cli.fake.failNext({ ...fault, headers: { "retry-after": "5" }, times: Infinity });
    const interruption = new AbortController();
    const running = cli.run("import - --privacy public", { stdin, signal: interruption.signal });
    // The first is sent alone, and again.
    while (cli.writes().length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 100));
    interruption.abort();
    const run = await running;
    expect(run.exitCode).toBe(130);
    const next = "This command waits and retries. To get the error at once, use --retries 0.";
    expect(warningsOf(run)).toEqual([`${detail} ${next}`]);
    expect(cli.writes()).toHaveLength(2);
  });

  test("is explained once, however short the wait, at the fourth attempt", async ({ cli }) => {
    const problem = { detail: "The database failed." };
    cli.fake.failNext({ code: "unavailable", method: "POST", problem, headers: { "retry-after": "0" }, times: 4 });
    const run = await cli.run("import - --privacy public", { stdin });
    expect(run.exitCode).toBe(0);
    expect(warningsOf(run)).toEqual([expect.stringMatching(/^The database failed\. This command waits and retries\./)]);
  });
});

test("a new website for which the file states no privacy has that of --privacy", async ({ cli }) => {
  await cli.add("old.example");
  const stdin =
    '{"domain":"old.example","email":1}\n{"domain":"a.example"}\n{"domain":"b.example","privacy":"public"}\n';
  const run = await cli.run("import - --privacy private --on-conflict update -o table", { stdin });
  expect(run).toMatchObject({ exitCode: 0, stdout: "3 websites: 2 created, 1 updated.\n" });
  const levels = Object.fromEntries(cli.fake.websites.map(({ domain, privacy }) => [domain, privacy]));
  expect(levels).toEqual({ "old.example": 0, "a.example": 1, "b.example": 0 });
  // The file says it, and the flag does not.
  expect(run.stderr).toBe("Warning: 1 new website will be public (b.example).\n");
});

test("2,500 updates need 115 MB", async ({ folder }) => {
  const domains = Array.from({ length: 2_500 }, (_, index) => `site-${index}.example`);
  await using served = await serveFake({ websites: domains.map((domain) => ({ domain })) });
  const cli = openCli(served);
  const path = await folder.write("domains.csv", `domain,email,exclude_ips\n${domains.join(",on,203.0.113.7\n")},,\n`);
  const { exitCode, output, peakBytes } = await measureCli(["import", "-", "--on-conflict", "update"], cli.env, path);
  expect(exitCode, output.slice(0, 500)).toBe(0);
  expect(cli.writes()).toHaveLength(2_499);
  expect(peakBytes).toBeLessThan(115e6);
});

describe("on a terminal", () => {
  test.for([
    ["y", "a.example\n", "1 created.", 1],
    ["n", "a.example\nb c\n", "Not valid and left out: 1 (--dry-run lists them).", 0],
  ] as const)("%s answers whether websites become public: %j", async ([key, file, said, count], { cli, folder }) => {
    await folder.write("domains.txt", file);
    using terminal = cli.open("import domains.txt", { folder: folder.path });
    await terminal.waitFor("1 new website will be public");
    terminal.type(key);
    const { exitCode, text } = await terminal.finish();
    expect(exitCode).toBe(0);
    expect(text).toContain(said);
    expect(cli.fake.websites).toHaveLength(count);
  });

  test("what went wrong and what is there twice is listed with its place, 50 at most, before a summary", async ({
    cli,
    folder,
  }) => {
    await cli.add("a.example");
    const wrong = Array.from({ length: 60 }, (_, index) => `my_site-${index}.example`);
    const path = await folder.write("domains.txt", ["a.example", "b.example", ...wrong, "B.example"].join("\n"));
    const { exitCode, text } = await cli.show(`import ${path} --privacy public`);
    expect(exitCode).toBe(7);
    expect(text).toContain("line 3: my_site-0.example: domain contains an underscore; send a host name");
    expect(text).toContain("line 52: my_site-49.example");
    expect(text).not.toContain("line 53");
    expect(text).toContain(
      "… and 10 more\n" +
        "line 63: b.example: is also on line 2\n" +
        "1 website exists and is skipped. To set what the file states, pass --on-conflict update.\n" +
        "63 websites: 1 created, 2 skipped, 60 refused.\nError: Some websites were not imported.\n",
    );
    expect(text).not.toContain("line 1:");
  });

  test("standard input is refused, since it is the terminal", async ({ cli }) => {
    const { exitCode, text } = await cli.show("import -");
    expect(exitCode).toBe(2);
    expect(text).toContain("Use a pipe, or name a file.");
  });
});
