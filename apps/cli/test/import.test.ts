import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type FakeService, keys, startFakeService } from "./support/fake-service.ts";
import { openTerminal } from "./support/open-terminal.ts";
import { retryInAnHour } from "./support/retry-in-an-hour.ts";
import { binPath, cleanEnvironment, type RunResult, runCli } from "./support/run-cli.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

function environment(service: FakeService, apiKey: string = keys.full): Record<string, string> {
  return { SITEWARD_API_KEY: apiKey, SITEWARD_BASE_URL: service.baseUrl };
}

/** Imports a text from standard input. */
function importText(service: FakeService, stdin: string, args: readonly string[] = []): Promise<RunResult> {
  return runCli(["import", "-", ...args], { env: environment(service), stdin });
}

function outcomesOf({ stdout }: RunResult): unknown {
  return JSON.parse(stdout).map(({ place, domain, outcome }: Record<string, unknown>) => [place, domain, outcome]);
}

function domainsOf({ websites }: FakeService): readonly string[] {
  return [...websites.values()].map(({ domain }) => domain).toSorted();
}

function writes({ requests }: FakeService): number {
  return requests.filter(({ method }) => method !== "GET").length;
}

describe("an import", () => {
  test("creates what is new, and prints what became of each line, in order", async () => {
    await using service = await startFakeService(["b.example"]);
    const run = await importText(service, "a.example\n# comment\nB.example\nbücher.example\n");
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(run.stdout)).toEqual([
      { place: "line 1", domain: "a.example", id: expect.any(Number), outcome: "created", reason: null },
      { place: "line 3", domain: "b.example", id: 1, outcome: "skipped", reason: "exists" },
      { place: "line 4", domain: "xn--bcher-kva.example", id: expect.any(Number), outcome: "created", reason: null },
    ]);
    expect(domainsOf(service)).toEqual(["a.example", "b.example", "xn--bcher-kva.example"]);
  });

  test("that is repeated sends nothing that writes", async () => {
    await using service = await startFakeService();
    const list = Array.from({ length: 150 }, (_, index) => `site-${index}.example`).join("\n");
    await importText(service, list);
    expect(writes(service)).toBe(150);
    const again = await importText(service, list, ["--on-conflict", "update"]);
    expect(writes(service)).toBe(150);
    expect(again.exitCode).toBe(0);
    expect(new Set(JSON.parse(again.stdout).map(({ outcome }: { outcome: string }) => outcome))).toEqual(
      new Set(["unchanged"]),
    );
  });

  test("imports no line of a domain of which another line is refused: that one may say that it is private", async () => {
    await using service = await startFakeService();
    const csv = "domain,privacy,exclude_bots\na.example,private,maybe\nA.example,,\nb.example,,\n";
    const run = await importText(service, csv);
    expect(run.exitCode).toBe(7);
    expect(domainsOf(service)).toEqual(["b.example"]);
    expect(JSON.parse(run.stdout)[1]).toMatchObject({
      place: "line 3",
      outcome: "refused",
      reason: "is also on line 2, which is refused; fix that line, or remove one of the two",
    });
  });

  test("of lines that are not valid imports the others, lists each with its reason, and exits with 7", async () => {
    await using service = await startFakeService();
    const csv =
      "domain,email,exclude_ips\na.example,on,\nb.example/x,,\nc.example,maybe,1.2.3\n" + "d.example,,203.0.113.9/24\n";
    const run = await importText(service, csv);
    expect(run.exitCode).toBe(7);
    expect(outcomesOf(run)).toEqual([
      ["line 2", "a.example", "created"],
      ["line 3", "b.example/x", "refused"],
      ["line 4", "c.example", "refused"],
      ["line 5", "d.example", "created"],
    ]);
    const [, second, third] = JSON.parse(run.stdout);
    expect(second.reason).toBe('domain contains a path; send "b.example"');
    expect(third.reason).toMatch(/^email is "maybe"; send true or false; exclude_ips entry 1: "1\.2\.3" is not/);
    expect(JSON.parse(run.stderr)).toEqual({
      error: {
        code: "partly_done",
        message: "Some websites were not imported. 4 websites: 2 created, 2 refused.",
        next: "Fix the lines that were refused, then run the same command again: what is imported is not repeated.",
      },
    });
    const sent = service.requests.find(({ body }) => body?.domain === "d.example");
    expect(sent?.body).toEqual({ domain: "d.example", exclude_ips: ["203.0.113.0/24"] });
  });

  test("of which no line is valid exits with 2 and sends no request", async () => {
    await using service = await startFakeService();
    const run = await importText(service, "localhost\n10.0.0.1\n");
    expect(run.exitCode).toBe(2);
    expect(JSON.parse(run.stderr)).toMatchObject({ error: { code: "input_refused" } });
    expect(service.requests).toEqual([]);
  });

  test("reads a site file with its defaults, and passwords from the environment and from files next to it", async () => {
    await using service = await startFakeService();
    await using folder = await createTemporaryFolder();
    await writeFile(join(folder.path, "shop.txt"), "correct horse\n");
    const path = join(folder.path, "siteward.yaml");
    const text = `version: 1
defaults: { privacy: private }
websites:
  - a.example
  - { domain: b.example, privacy: password, password_env: B_PASSWORD }
  - { domain: c.example, privacy: password, password_file: shop.txt }
  - { domain: d.example, privacy: password, password_env: MISSING }
`;
    await writeFile(path, text);
    const run = await runCli(["import", path], { env: { ...environment(service), B_PASSWORD: "battery staple" } });
    expect(run.exitCode).toBe(7);
    expect(JSON.parse(run.stdout)[3]).toMatchObject({
      place: "line 7",
      outcome: "refused",
      reason: "password_env: the environment variable MISSING is not set",
    });
    const bodies = service.requests
      .flatMap(({ body }) => body ?? [])
      .toSorted((a, b) => (a.domain < b.domain ? -1 : 1));
    expect(bodies).toEqual([
      { domain: "a.example", privacy: 1 },
      { domain: "b.example", privacy: 2, password: "battery staple" },
      { domain: "c.example", privacy: 2, password: "correct horse" },
    ]);
  });

  test("of a site file with wrong websites names the lines that check names", async () => {
    await using service = await startFakeService();
    const website = "- domain: a.example\n    privacy: private\n    email: 3\n    exclude_params:\n    - a b\n";
    const text = `version: 1\nwebsites:\n  ${website}  - b.example\n`;
    const checked = JSON.parse((await runCli(["check", "-"], { stdin: text })).stdout);
    const [refused] = JSON.parse((await importText(service, text, ["--format", "yaml"])).stdout);
    const [first, second] = checked;
    expect(first).toMatchObject({ place: "line 5", domain: "a.example" });
    expect(refused).toMatchObject({ place: first.place, domain: "a.example", outcome: "refused" });
    expect(refused.reason).toBe(`${first.problem}; ${second.place}: ${second.problem}`);
  });

  test.each([
    ["defaults that are not valid", "version: 1\ndefaults: { privacy: privat }\nwebsites: [a.example]\n", 2],
    ["an unknown section", "version: 1\nwebsites: [a.example]\ndefault: { privacy: private }\n", 3],
  ])("of a site file with %s creates nothing, since a private website could become public", async (_, text, line) => {
    await using service = await startFakeService();
    const run = await importText(service, text);
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(JSON.parse(run.stderr)).toMatchObject({
      error: { code: "input_refused", message: expect.stringContaining(`Line ${line} of the file: `) },
    });
    expect(service.requests).toEqual([]);
  });

  test.each([
    ["version: 1\nwebsites:\n  - 'a\n", /^Line \d of the file is not valid YAML: /, undefined],
    ["[".repeat(99), /^Line 1 of the file has lists or mappings that are nested more than 32 deep; /, undefined],
    ["version: 2\nwebsites: [a.example]\n", /^Line 1 of the file: version is not 1; /, undefined],
    ["version: 2\nwebsites: [a/b]\n", /^Line 1 of the file: version/, expect.stringContaining("`siteward check`")],
  ])("of a site file names check only if that shows more: %j", async (text, message, next) => {
    await using service = await startFakeService();
    const { error } = JSON.parse((await importText(service, text, ["--format", "yaml"])).stderr);
    expect(error.message).toMatch(message);
    expect(error.next).toEqual(next);
  });

  test("counts a website of a site file with two problems once", async () => {
    await using service = await startFakeService();
    const text =
      "version: 1\nwebsites:\n  - a.example\n  - domain: b.example\n    email: x\n    privacy: y\n  - 1.2.3.4\n";
    const run = await importText(service, text);
    expect(run).toMatchObject({ exitCode: 7, stderr: expect.stringContaining("3 websites: 1 created, 2 refused") });
    expect(JSON.parse(run.stdout)[1]).toMatchObject({
      place: "line 5",
      domain: "b.example",
      reason: expect.stringMatching(/^email is "x".*; line 6: privacy is "y"/),
    });
  });

  test("never prints a password", async () => {
    await using service = await startFakeService();
    const file = JSON.stringify([
      { domain: "a.example", privacy: 2, password: "correct horse" },
      { domain: "b.example", password: "correct horse" },
      { domain: "c.example", privacy: 2, password: "correct horse", passwort: "correct horse" },
      "https://user:correct-horse@d.example/",
    ]);
    const run = await importText(service, file);
    expect(run.exitCode).toBe(7);
    expect(outcomesOf(run)).toEqual([
      ["item 1", "a.example", "created"],
      ["item 2", "b.example", "refused"],
      ["item 3", "c.example", "refused"],
      ["item 4", "https://[redacted]@d.example/", "refused"],
    ]);
    expect(run.stdout + run.stderr).not.toContain("horse");
  });
});

describe("--dry-run", () => {
  test("shows what would be done, exits as the import would, and writes nothing", async () => {
    await using service = await startFakeService(["a.example"]);
    const csv = "domain,email\na.example,on\nb.example,on\nc,on\n";
    const run = await importText(service, csv, ["--dry-run", "--on-conflict", "update"]);
    expect(run.exitCode).toBe(7);
    expect(outcomesOf(run)).toEqual([
      ["line 2", "a.example", "would_update"],
      ["line 3", "b.example", "would_create"],
      ["line 4", "c", "refused"],
    ]);
    expect(writes(service)).toBe(0);
  });
});

describe("--on-conflict", () => {
  test("update changes only the settings that the file states", async () => {
    await using service = await startFakeService(["a.example", "b.example"]);
    const csv = "domain,email,exclude_params\na.example,on,\nb.example,off,\n";
    const run = await importText(service, csv, ["--on-conflict", "update"]);
    expect(run.exitCode).toBe(0);
    expect(outcomesOf(run)).toEqual([
      ["line 2", "a.example", "updated"],
      ["line 3", "b.example", "unchanged"],
    ]);
    expect(service.requests.filter(({ method }) => method === "PUT").map(({ body }) => body)).toEqual([{ email: 1 }]);
  });

  test.each([[[]], [["--dry-run"]]])(
    "fail changes nothing if a website exists, and exits with 5: %j",
    async (flags) => {
      await using service = await startFakeService(["b.example"]);
      const run = await importText(service, "a.example\nb.example\n", ["--on-conflict", "fail", ...flags]);
      expect(run.exitCode).toBe(5);
      expect(outcomesOf(run)).toEqual([
        ["line 1", "a.example", "not_tried"],
        ["line 2", "b.example", "refused"],
      ]);
      expect(writes(service)).toBe(0);
    },
  );

  test.each([
    ["skip", 0, "skipped", 0],
    ["update", 0, "updated", 1],
    ["fail", 5, "refused", 0],
  ])(
    "%s also applies to a domain that is taken after the account was read",
    async (action, exitCode, outcome, email) => {
      await using service = await startFakeService(["meanwhile.example"]);
      service.answerNext("usual", { problem: { status: 409, code: "domain_taken", website_id: 1 } });
      const run = await importText(service, "domain,email\na.example,on\n", ["--on-conflict", action]);
      expect(JSON.parse(run.stdout)).toMatchObject([{ domain: "a.example", id: 1, outcome }]);
      expect(run.exitCode).toBe(exitCode);
      expect(service.websites.get(1)?.email).toBe(email);
    },
  );
});

describe("an error that every website would meet", () => {
  const list = Array.from({ length: 20 }, (_, index) => `site-${index}.example`).join("\n");
  const usual = Array.from({ length: 4 }, () => "usual" as const);

  test("stops the import: what is done stays done, and the rest is not tried", async () => {
    await using service = await startFakeService();
    const problem = { status: 403, code: "website_limit_reached", detail: "This account has reached its limit." };
    service.answerNext(...usual, { problem });
    const run = await importText(service, list, ["--parallel", "1"]);
    expect(run.exitCode).toBe(7);
    const outcomes = Map.groupBy<string, { outcome: string }>(JSON.parse(run.stdout), ({ outcome }) => outcome);
    expect(Object.fromEntries([...outcomes].map(([outcome, { length }]) => [outcome, length]))).toEqual({
      created: 3,
      failed: 1,
      not_tried: 16,
    });
    expect(JSON.parse(run.stderr)).toMatchObject({
      error: { code: "partly_done", message: expect.stringContaining("This account has reached its limit.") },
    });
    expect(service.requests).toHaveLength(5);
    const again = await importText(service, list);
    expect(again.exitCode).toBe(0);
    expect(service.websites.size).toBe(20);
  });

  test("is the error of the import if nothing was done", async () => {
    await using service = await startFakeService();
    const revoked = await runCli(["import", "-"], { env: environment(service, keys.revoked), stdin: list });
    expect(revoked).toMatchObject({ exitCode: 4, stdout: "" });
    expect(JSON.parse(revoked.stderr)).toMatchObject({ error: { code: "unauthenticated" } });
    service.answerNext("usual", { problem: { status: 403, code: "insufficient_scope" } });
    const readOnly = await importText(service, list, ["--parallel", "1"]);
    expect(readOnly.exitCode).toBe(4);
    expect(service.websites.size).toBe(0);
  });

  test("is waited for if it is temporary", async () => {
    await using service = await startFakeService();
    const limited = { problem: { status: 429, code: "rate_limited" }, headers: { "retry-after": "0" } };
    service.answerNext(limited, "usual", limited, { problem: { status: 503, code: "unavailable" } });
    const run = await importText(service, "a.example\n");
    expect(run.exitCode).toBe(0);
    const message = "The service limits the requests, so this command waits for it.";
    expect(JSON.parse(run.stderr)).toEqual({ warning: { message } });
    expect(domainsOf(service)).toEqual(["a.example"]);
  });

  test("is explained before it is waited for, if the service asks for five seconds", async () => {
    await using service = await startFakeService();
    const detail = "The database is read-only and accepts no changes.";
    const problem = { status: 503, code: "unavailable", detail };
    service.answerNext("usual", ...Array(8).fill({ problem, headers: { "retry-after": "5" } }));
    const child = spawn(process.execPath, [binPath, "import", "-"], { env: cleanEnvironment(environment(service)) });
    child.stdin.end(list);
    const [warning] = await once(child.stderr, "data");
    expect(JSON.parse(String(warning))).toEqual({
      warning: { message: `${detail} This command waits and retries. To get the error at once, use --retries 0.` },
    });
    child.kill("SIGINT");
    const [code] = await once(child, "close");
    expect(code).toBe(130);
  });

  test("is said once for people, however many requests met it, with the time from which the command can be repeated", async () => {
    await using service = await startFakeService();
    const detail = "The changes of this account have reached their limit.";
    const { minute, headers } = retryInAnHour();
    const problem = { status: 429, code: "change_limit_reached", detail };
    service.answerNext("usual", "usual", ...Array(7).fill({ problem, headers }));
    const { stdout, stderr } = await importText(service, list, ["-o", "table"]);
    expect(`${stdout}${stderr}`.split(detail)).toHaveLength(2);
    const failed = Number(/, (\d) failed/.exec(stdout)?.[1]);
    expect(stdout.match(/^line \d+: site-\d+\.example: failed$/gm)).toHaveLength(failed);
    expect(stderr).toContain(`Run the same command again after ${minute}: what is imported is not repeated.`);
  });

  test.each(["rate_limited", "change_limit_reached"])(
    "is not waited for if the service asks for more than a minute: %s",
    async (code) => {
      await using service = await startFakeService();
      const limited = { problem: { status: 429, code }, headers: { "retry-after": "61" } };
      service.answerNext("usual", limited);
      const run = await importText(service, "a.example\nb.example\n", ["--parallel", "1"]);
      expect(run).toMatchObject({ exitCode: 6 });
      expect(service.websites.size).toBe(0);
    },
  );
});

describe("the file", () => {
  test("is listed without a domain where it states none", async () => {
    await using service = await startFakeService();
    const { stdout } = await importText(service, "domain,privacy\n,private\n");
    const reason = 'domain is required; send a host name such as "example.com"';
    expect(JSON.parse(stdout)).toEqual([{ place: "line 2", domain: null, id: null, outcome: "refused", reason }]);
  });

  test.each([
    ["", "The file contains no websites."],
    ["domain,e-mail\na.example,on\n", 'The column "e_mail" is unknown; did you mean email?'],
    ["email,privacy\n", "The file contains no websites."],
    ["email;domains\non;a.example\n", 'The column "domains" is unknown; did you mean domain?'],
    ["domain,e-mail,Notes\na.example,on,\n", 'These columns are unknown:\n  "e_mail"; did you mean email?\n  "notes"'],
    ["Email,Domain Name\non,a.example\n", 'The column "domain_name" is unknown; did you mean domain?'],
    ["email-me.example,on\nb.example,off\n", "The CSV file has no header: its first line looks like a website."],
    ['{"status":401,"detail":"No key."}', 'The file is an error, not websites: "No key.".'],
    ["[{]", "The file is not valid JSON (line 1 column 3)."],
  ])("%j is refused as a whole: %s", async (stdin, message) => {
    await using service = await startFakeService();
    const run = await importText(service, stdin, stdin.toLowerCase().startsWith("email") ? ["--format", "csv"] : []);
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(JSON.parse(run.stderr)).toMatchObject({ error: { message } });
    expect(service.requests).toEqual([]);
  });

  test("that does not exist, is UTF-16, or has too many bytes or values is refused", async () => {
    await using service = await startFakeService();
    await using folder = await createTemporaryFolder();
    const names = ["missing.txt", "wide.csv", "large.txt", "long.txt"];
    const [missing, wide, large, long] = names.map((name) => join(folder.path, name));
    await writeFile(wide ?? "", "domain\r\na.example\r\n", "utf16le");
    await writeFile(large ?? "", "#".repeat(33 * 1024 * 1024));
    await writeFile(long ?? "", "\n".repeat(4_000_001));
    const messageOf = async (path = "") => {
      const run = await runCli(["import", path], { env: environment(service) });
      return `${run.exitCode} ${JSON.parse(run.stderr).error.message}`;
    };
    expect(await messageOf(missing)).toMatch(/^2 Cannot read .*missing\.txt: no such file or directory\.$/);
    expect(await messageOf(wide)).toBe(`2 ${wide} is UTF-16 or not a text file; save it as UTF-8.`);
    expect(await messageOf(large)).toBe(`2 ${large} is larger than 32 MiB. Split it into several files.`);
    expect(await messageOf(long)).toBe(`2 ${long} has more than 4,000,000 values. Split it into several files.`);
  });

  test("of another service says once what websites do not have", async () => {
    await using service = await startFakeService();
    const sites = ["a.example", "b.example"].map((host) => ({ idsite: "1", name: "A", main_url: `https://${host}/` }));
    const run = await importText(service, JSON.stringify(sites), ["--from", "matomo", "-o", "ndjson"]);
    expect(run.exitCode).toBe(0);
    expect(JSON.parse(run.stderr)).toEqual({
      warning: {
        message: "These fields have no place in a website and are not imported:\n  idsite (2 sites)\n  name (2 sites)",
      },
    });
    expect(service.requests.flatMap(({ body }) => body ?? [])).toMatchObject([{ privacy: 1 }, { privacy: 1 }]);
  });

  test.each([
    ["matomo", "json", '[{"idsite":"1","main_url":"https://a.example"}]'],
    ["matomo", "json", '{"1":{"idsite":"1","main_url":"https://a.example"}}'],
    ["matomo", "csv", "idsite,main_url\n1,https://a.example\n"],
    ["plausible", "json", '{"sites":[{"domain":"a.example","timezone":"Etc/UTC"}],"meta":{}}'],
    ["plausible", "json", '[{"domain":"a.example","timezone":"Etc/UTC","custom_properties":[]}]'],
    ["umami", "json", '{"data":[{"name":"A","domain":"a.example","shareId":null,"teamId":null}],"count":1}'],
  ])("of %s in %s is refused once, with the flag to add", async (name, format, text) => {
    await using service = await startFakeService();
    const run = await importText(service, text, ["--format", format]);
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(JSON.parse(run.stderr)).toMatchObject({
      error: { code: "input_refused", next: `To import them, add --from ${name}.` },
    });
    expect(service.requests).toEqual([]);
  });

  test.each([
    ["plausible", "id,domain,timezone,public\n1,a.example,Etc/UTC,t\n"],
    ["umami", "domain,shareId,teamId\na.example,6f,3\n"],
    ["umami", "domain,share_id,team_id\na.example,6f,3\n"],
  ])("of %s in CSV, which can also be a list of one's own, is refused with both flags", async (name, text) => {
    await using service = await startFakeService();
    const { stderr } = await importText(service, text);
    const ownList = "If it is a list of your own, ignore its other columns with --ignore-columns.";
    expect(JSON.parse(stderr).error.next).toBe(`To import them, add --from ${name}. ${ownList}`);
    expect(await importText(service, text, ["--from", name])).toMatchObject({ exitCode: 0 });
    expect(domainsOf(service)).toEqual(["a.example"]);
  });

  test.each([
    ["domain,timezone,contact\na.example,Etc/UTC,Ann\n", 'These columns are unknown:\n  "timezone"\n  "contact"'],
    ["domain,main_url\na.example,https://a.example/\n", 'The column "main_url" is unknown; send only'],
    ['[{"domain":"a.example","teamId":3,"privacy":1}]', "No website was imported."],
  ])("with one field that another service has too is not called a file of it: %j", async (text, message) => {
    await using service = await startFakeService();
    const { exitCode, stderr } = await importText(service, text);
    expect(exitCode).toBe(2);
    expect(JSON.parse(stderr).error.message).toContain(message);
  });

  test.each([
    ["domain,privcy\na.example,1\n", 'The column "privcy" is unknown; did you mean privacy?'],
    ["domain,notes,exclude_ip,privcy\na.example,x,,1\n", 'did you mean exclude_ips?\n  "privcy"; did you mean'],
    ["domian,name\na.example,A\n", 'The column "domian" is unknown; did you mean domain?'],
  ])(
    "with a misspelt column is refused with --ignore-columns too, since its setting would be lost: %j",
    async (text, message) => {
      await using service = await startFakeService();
      const { exitCode, stderr } = await importText(service, text, ["--ignore-columns", "--format", "csv"]);
      expect(exitCode).toBe(2);
      expect(JSON.parse(stderr).error.message).toContain(message);
      expect(service.requests).toEqual([]);
    },
  );

  test("with URLs, quotes and commas is read by the hosts, which a warning names", async () => {
    await using service = await startFakeService();
    const run = await importText(service, '"a.example",\nhttps://b.example/de\nc.example\nhttps://B.example/fr\n');
    expect(run.exitCode).toBe(0);
    expect(outcomesOf(run)).toEqual([
      ["line 1", "a.example", "created"],
      ["line 2", "b.example", "created"],
      ["line 3", "c.example", "created"],
      ["line 4", "b.example", "skipped"],
    ]);
    expect(JSON.parse(run.stderr).warning.message.split("\n")).toEqual([
      "These domains are not written as host names:",
      '  line 1: "a.example", is read as a.example',
      "  line 2: https://b.example/de is read as b.example",
      "  line 4: https://B.example/fr is read as b.example",
    ]);
  });

  test("with unknown columns is imported without them, with --ignore-columns, and a warning names them once", async () => {
    await using service = await startFakeService();
    const csv = "domain,e-mail,Notes,email\na.example,x,y,on\nb.example,x,y,off\n";
    const run = await importText(service, csv, ["--ignore-columns"]);
    expect(run.exitCode).toBe(0);
    expect(service.requests.flatMap(({ body }) => body ?? [])).toEqual([
      { domain: "a.example", email: 1 },
      { domain: "b.example", email: 0 },
    ]);
    expect(JSON.parse(run.stderr)).toEqual({
      warning: { message: 'These columns are ignored:\n  "e_mail"\n  "notes"' },
    });
  });

  test.each([
    ["a.example\n", ["--ignore-columns"], "--ignore-columns applies to CSV. The format of the file is list."],
    [
      "[]",
      ["--ignore-columns", "--from", "matomo"],
      "--from ignores the fields that no website has. Omit --ignore-columns.",
    ],
    ["shop.example\n", ["--ignore-columns", "--format", "csv"], "The file contains no websites."],
    [
      "site\nshop.example\n",
      ["--ignore-columns", "--format", "csv"],
      "The CSV file has no column named domain. Name the columns in its first line.",
    ],
  ])("%j is refused with %j", async (text, flags, message) => {
    await using service = await startFakeService();
    const run = await importText(service, text, flags);
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(JSON.parse(run.stderr)).toMatchObject({ error: { message } });
  });

  test("of Plausible refuses a site with a path by its line, and imports the others", async () => {
    await using service = await startFakeService();
    const csv = "domain,public\nexample.com/blog,t\na.example,t\n";
    const run = await importText(service, csv, ["--from", "plausible"]);
    expect(run.exitCode).toBe(7);
    expect(JSON.parse(run.stdout)).toMatchObject([
      { place: "line 2", outcome: "refused", reason: expect.stringContaining("domain contains a path") },
      { place: "line 3", outcome: "created" },
    ]);
  });
});

describe("on a terminal", () => {
  test("what went wrong is listed with its place, at most 50 of them, and a summary follows", async () => {
    await using service = await startFakeService(["a.example"]);
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "domains.txt");
    const wrong = Array.from({ length: 60 }, (_, index) => `my_site-${index}.example`);
    await writeFile(path, ["a.example", "b.example", ...wrong].join("\n"));
    using terminal = openTerminal(["import", path], { env: environment(service) });
    expect(await terminal.exitCode).toBe(7);
    const screen = terminal.screen();
    expect(screen).toContain("line 3: my_site-0.example: domain contains an underscore; send a host name");
    expect(screen).toContain("line 52: my_site-49.example");
    expect(screen).not.toContain("line 53");
    expect(screen).toContain(
      "… and 10 more\n" +
        "1 website exists and is skipped. To change what exists, pass --on-conflict update.\n" +
        "62 websites: 1 created, 1 skipped, 60 refused.\nError: Some websites were not imported.\n",
    );
    expect(screen).not.toContain("line 1:");
  });

  test("a website that the file has twice is listed with its earlier line, and those that exist are counted", async () => {
    await using service = await startFakeService(["a.example", "b.example"]);
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "domains.txt");
    await writeFile(path, ["a.example", "c.example", "b.example", "C.example"].join("\n"));
    using terminal = openTerminal(["import", path], { env: environment(service) });
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.screen()).toContain(
      "line 4: c.example: is also on line 2\n" +
        "2 websites exist and are skipped. To change what exists, pass --on-conflict update.\n" +
        "4 websites: 1 created, 3 skipped.\n",
    );
  });

  test("what is not imported of another service has a line each, 20 of them for people and all for programs", async () => {
    await using service = await startFakeService();
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "sites.json");
    const sites = Array.from({ length: 23 }, (_, index) => ({ idsite: "1", main_url: `https://s${index}.example/de` }));
    await writeFile(path, JSON.stringify(sites));
    using terminal = openTerminal(["import", path, "--from", "matomo", "--dry-run"], { env: environment(service) });
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.screen()).toContain(`Warning: These fields have no place in a website and are not imported:
  idsite (23 sites)
Warning: These values are not imported:
  item 1: main_url "/de" is not part of a domain
  item 2: main_url "/de" is not part of a domain
`);
    expect(terminal.screen()).toContain('  item 20: main_url "/de" is not part of a domain\n  … and 3 more\n');
    const { stderr } = await runCli(["import", path, "--from", "matomo", "--dry-run"], { env: environment(service) });
    const [, values = ""] = stderr.trim().split("\n");
    expect(JSON.parse(values).warning.message.split("\n")).toEqual([
      "These values are not imported:",
      ...sites.map((_site, index) => `  item ${index + 1}: main_url "/de" is not part of a domain`),
    ]);
  });

  test("standard input is refused, since it is the terminal", async () => {
    await using service = await startFakeService();
    using terminal = openTerminal(["import", "-"], { env: environment(service) });
    expect(await terminal.exitCode).toBe(2);
    expect(terminal.screen()).toContain("Use a pipe, or name a file.");
  });
});
