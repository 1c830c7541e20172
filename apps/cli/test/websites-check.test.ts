import { once } from "node:events";
import { chmod, copyFile, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { lacksProgram } from "@siteward/testing/lacks-program";
import { cliBin } from "@siteward/testing/servers/built-programs";
import { describe, expect } from "vitest";
import { test as base } from "./support/cli-test.ts";
import { measureCli } from "./support/measure-cli.ts";
import { type CommandLine, errorOf, jsonOf, linesOf, type RunResult, runCli } from "./support/run-cli.ts";
import { unknownKey } from "./support/serve-fake.ts";
import { startProgram } from "./support/start-cli.ts";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/** Checks visits of website 1, `example.com`. */
const test = base.extend<{ readonly check: (commandLine: CommandLine, stdin?: string) => Promise<RunResult> }>({
  check: async ({ cli }, use) => {
    const exclude_ips = ["203.0.113.0/24", "127.0.0.9"];
    await cli.other.websites.create({ domain: "example.com", exclude_params: ["utm_*", "ref"], exclude_ips });
    await use((commandLine, stdin) => {
      const words = typeof commandLine === "string" ? commandLine.split(" ") : commandLine;
      return cli.run(["websites", "check", ...words], stdin === undefined ? {} : { stdin });
    });
  },
});

describe("siteward websites check", () => {
  test("exits with 0 and the URL as it is counted, without excluded parameters", async ({ check }) => {
    const url = "https://www.example.com/p?utm_source=a&b=%20c&ref=d#e";
    const uncounted = { reason: null, rule: null, explanation: null };
    for (const reference of ["1", "example.com"]) {
      const run = await check([reference, "--url", url, "--ip", "198.51.100.7", "--user-agent", firefox]);
      expect(run).toMatchObject({ exitCode: 0, stderr: "" });
      const counted = { counted: true, visited_url: url, url: "https://www.example.com/p?b=%20c#e" };
      expect(jsonOf(run)).toEqual({ ...uncounted, ...counted });
    }
  });

  test.for([
    [
      "ip",
      "203.0.113.0/24",
      "--ip ::ffff:203.0.113.9",
      "The address ::ffff:203.0.113.9 matches the excluded entry 203.0.113.0/24",
    ],
    ["bot", "google", "--user-agent Googlebot/2.1", 'The user agent "Googlebot/2.1" is that of a bot'],
    ["bot", "^$", "--user-agent=", "The visit has no user agent"],
    ["host", "example.com", "--hosts exact", "The page is on www.example.com, which is not example.com"],
  ] as const)(
    "exits with 1 and the reason %s, with the entry %s and why",
    async ([reason, rule, flags, explanation], { check }) => {
      const run = await check(`1 --url https://www.example.com/ ${flags}`);
      expect(run).toMatchObject({ exitCode: 1, stderr: "" });
      expect(jsonOf(run)).toEqual({
        counted: false,
        reason,
        rule: expect.stringContaining(rule),
        explanation: expect.stringContaining(explanation),
        visited_url: "https://www.example.com/",
        url: null,
      });
    },
  );

  test("judges no address and no user agent that is not stated, and says so", async ({ cli, check: _check }) => {
    const words = "websites check example.com --url https://example.com/";
    expect(await cli.run(words)).toMatchObject({ exitCode: 0, stderr: "" });
    const { exitCode, text } = await cli.show(words);
    expect(exitCode).toBe(0);
    expect(text).toBe(`Counted      yes
Reason       -
Rule         -
Explanation  -
Visited URL  https://example.com/
Counted URL  https://example.com/
exclude_ips was not judged. To judge it, pass --ip.
exclude_bots was not judged. To judge it, pass --user-agent.
`);
  });

  test.for([
    ["--url /pricing", "input_refused", /^--url .*; send /],
    [
      "--url https://a.example/ --ip 203.0.113.7:80",
      "input_refused",
      /^--ip has a port; send only the address, such as/,
    ],
    ["--url https://a.example/ --ip=", "input_refused", /^--ip is empty; send only the address, .*, or omit it\.$/],
    ["", "usage", /Pass --url/],
    ["- --ip ::1", "usage", /--ip/],
    ["- --api-key-stdin", "usage", /stdin|standard input/],
    ["--url https://example.com/ --detailed-exitcode", "usage", /Unknown option/],
  ] as const)("refuses %j, and names the flag", async ([words, code, message], { check }) => {
    const run = await check(`1 ${words}`.trim());
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(errorOf(run)).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test("exits with 1 and prints no verdict if the service fails", async ({ check }) => {
    const env = { SITEWARD_API_KEY: unknownKey, SITEWARD_BASE_URL: "http://127.0.0.1:9" };
    const run = await runCli("websites check 1 --url https://example.com/", { env });
    expect(run).toMatchObject({ exitCode: 1, stdout: "" });
    expect(errorOf(run)).toMatchObject({ code: "connection_failed", next: expect.any(String) });
    expect(await check("other.example --url https://example.com/")).toMatchObject({ exitCode: 3, stdout: "" });
  });
});

describe("siteward websites check of a file", () => {
  const visits = [
    { url: "https://example.com/?ref=a", ip: "198.51.100.7", user_agent: null },
    { url: "https://example.com/", ip: "203.0.113.7", user_agent: firefox },
    { url: "https://other.example/" },
    { url: "https://example.com/", user_agent: "" },
  ]
    .map((visit) => JSON.stringify(visit))
    .join("\r\n");

  test("prints a verdict for each line as NDJSON, and the counts, with one request", async ({ cli, check }) => {
    const run = await check("1 -", `\ufeff${visits}`);
    expect(run.exitCode).toBe(0);
    expect(linesOf(run.stdout).map(({ line, reason, visited_url, url }) => [line, reason, visited_url, url])).toEqual([
      [1, null, "https://example.com/?ref=a", "https://example.com/"],
      [2, "ip", "https://example.com/", null],
      [3, "host", "https://other.example/", null],
      [4, "bot", "https://example.com/", null],
    ]);
    expect(JSON.parse(run.stderr)).toEqual({ summary: { lines: 4, counted: 1, host: 1, ip: 1, bot: 1, invalid: 0 } });
    expect(cli.fake.requests).toHaveLength(1);
  });

  test("prints every format, from a file too, and the counts for people", async ({ check, folder }) => {
    const path = await folder.write("visits.ndjson", visits);
    const csv = await check(`1 ${path} --output csv --fields line,reason`);
    expect(csv.stdout).toBe("line,reason\r\n1,\r\n2,ip\r\n3,host\r\n4,bot\r\n");
    expect(csv.stderr).toBe("4 visits: 1 counted, 1 host, 1 ip, 1 bot.\n");
    expect(jsonOf(await check(`1 ${path} -o json`))).toHaveLength(4);
    const table = await check(`1 ${path} --output table --fields line,counted,reason`);
    expect(table.stdout).toBe(
      "Line  Counted  Reason\n1     yes      -\n2     no       ip\n3     no       host\n4     no       bot\n",
    );
    const missing = await check(`1 ${path}x`);
    expect(missing).toMatchObject({ exitCode: 2, stdout: "" });
    expect(errorOf(missing).message).toBe(`Cannot read ${path}x: no such file or directory.`);
  });

  test("names a line that is not a visit, goes on, and exits with 7, or 2 if there is no other", async ({ check }) => {
    const lines = [
      ["{", "The line is not valid JSON."],
      ["", undefined],
      ["[]", 'The line is not an object; send {"url": "https://example.com/"}.'],
      ['{"URL": "https://example.com/"}', '"URL" is unknown; send only url, ip, user_agent.'],
      ["{}", expect.stringMatching(/^url is missing; send /)],
      ['{"url": 7}', expect.stringMatching(/^url .*; send /)],
      ['{"url": "https://example.com/", "user_agent": 7}', expect.stringMatching(/^user_agent .*; send /)],
      [`{"url": "https://example.com/${"a".repeat(140_000)}"}`, "The line is longer than 128 KiB."],
      ['{"url": "https://example.com/"}', null],
    ] as const;
    const run = await check("1 -", lines.map(([line]) => line).join("\n"));
    expect(run.exitCode).toBe(7);
    const records = linesOf(run.stdout);
    expect(records.map(({ line, explanation }) => [line, explanation])).toEqual(
      lines.flatMap(([, explanation], index) => (explanation === undefined ? [] : [[index + 1, explanation]])),
    );
    expect(records.map(({ counted }) => counted)).toEqual([...Array(7).fill(null), true]);
    const url = "https://example.com/";
    expect(records.slice(-4).map(({ visited_url }) => visited_url)).toEqual([null, url, null, url]);
    const [counts] = linesOf(run.stderr);
    expect(counts.summary).toMatchObject({ lines: 8, counted: 1, invalid: 7 });
    const message = "7 lines are not valid visits. The others are judged.";
    expect(errorOf(run)).toMatchObject({ code: "partly_done", message });
    expect(await check("1 -", "no\nyes\n")).toMatchObject({ exitCode: 2 });
  });

  test.for(["", "\n \n"])(
    "exits with 2 if there is no visit, as if a log has another format: %j",
    async (stdin, { check }) => {
      const run = await check("1 -", stdin);
      expect(run).toMatchObject({ exitCode: 2, stdout: "" });
      expect(linesOf(run.stderr)[0].summary).toMatchObject({ lines: 0 });
      expect(errorOf(run)).toMatchObject({ code: "input_refused", message: "There are no visits to judge." });
    },
  );

  test("prints each verdict while the log still grows, and the counts at Ctrl-C", async ({ cli, check: _check }) => {
    const { child, ended } = cli.start("websites check 1 -");
    child.stdin.write('{"url": "https://example.com/"}\n');
    expect(String(await once(child.stdout, "data"))).toContain('{"line":1,"counted":true');
    // The line is not complete, so nobody can say whether it is a visit.
    child.stdin.write('{"url": ');
    await sleep(50);
    child.kill("SIGINT");
    const run = await ended;
    expect(run.exitCode).toBe(130);
    expect(linesOf(run.stderr)[0].summary).toMatchObject({ lines: 1, counted: 1, invalid: 0 });
    expect(errorOf(run).code).toBe("interrupted");
  });

  test("ends a table at 10,000 visits, and counts all of them", async ({ check }) => {
    const run = await check("1 - --output table --fields line", '{"url": "https://example.com/"}\n'.repeat(10_001));
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toMatch(/^Line\n1 *\n2 *\n[\s\S]*\n10000 *\n$/);
    expect(run.stderr).toBe(
      "Warning: The table ends at 10,000 visits, and the counts are of all. To print every verdict, use --output ndjson.\n" +
        "10,001 visits: 10,001 counted.\n",
    );
  });

  test.for([
    ["50 MB of line breaks", () => Buffer.alloc(50e6, "\n"), [], 2],
    [
      "5,000 visits of 8 KB in JSON",
      () => Buffer.from(`{"url": "https://example.com/${"a".repeat(8_000)}"}\n`.repeat(5_000)),
      ["--output", "json"],
      0,
    ],
  ] as const)("needs 150 MB for %s", async ([_what, write, flags, code], { cli, check: _check, folder }) => {
    const path = await folder.write("visits.ndjson", write());
    const words = ["websites", "check", "1", "-", ...flags];
    const { exitCode, peakBytes } = await measureCli(words, cli.env, path);
    expect(exitCode).toBe(code);
    expect(peakBytes).toBeLessThan(150e6);
  });
});

describe.skipIf(lacksProgram("jq"))("the line of docs/cli-visits.md for an access log", () => {
  const logs = fileURLToPath(new URL("support/access-logs", import.meta.url));
  const page = new URL("../../../docs/cli-visits.md", import.meta.url);

  const counted = (path: string) => [null, `https://example.com/${path}`];
  const [ip, bot, host] = ["ip", "bot", "host"].map((reason) => [reason, null]);
  const [pricing, about, referer] = ["pricing?plan=2", "about", "referer"].map(counted);
  const encoded = counted("caf%C3%A9?name=%E9");

  test.for([
    ["access.log", "nginx.txt", [pricing, ip, bot, about, bot, encoded, bot, bot, counted("other"), referer]],
    ["caddy.log", "caddy.txt", [pricing, ip, bot, about, ip, bot, bot, host, referer]],
  ] as const)(
    "judges what a real server wrote, whatever a visitor sent: %s",
    async ([name, recorded, expected], { cli, check: _check, folder: { path: folder } }) => {
      await copyFile(join(logs, recorded), join(folder, name));
      await writeFile(join(folder, "siteward"), `#!/bin/sh\nexec '${process.execPath}' '${cliBin}' "$@"\n`);
      await chmod(join(folder, "siteward"), 0o755);
      const line = (await readFile(page, "utf8")).split("\n").find((each) => each.includes(` ${name} |`)) ?? "";
      const path = [folder, dirname(process.execPath), process.env["PATH"]].join(delimiter);
      const command = ["bash", "-o", "pipefail", "-c", line];
      const run = await startProgram(command, { env: { ...cli.env, PATH: path }, folder, stdin: "" }).ended;
      expect(run.exitCode, run.stderr).toBe(0);
      expect((await readdir(folder)).toSorted()).toEqual([name, "siteward"].toSorted());
      expect(linesOf(run.stdout).map(({ reason, url }) => [reason, url])).toEqual(expected);
    },
  );
});
