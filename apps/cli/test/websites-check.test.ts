import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, copyFile, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { lacksProgram } from "@siteward/testing/lacks-program";
import { describe, expect, test } from "vitest";
import { openTerminal } from "./support/open-terminal.ts";
import { binPath, cleanEnvironment, type RunResult, runCli } from "./support/run-cli.ts";
import { type ServedFake, serveFake } from "./support/serve-fake.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const website = {
  domain: "example.com",
  exclude_params: ["utm_*", "ref"],
  exclude_ips: ["203.0.113.0/24", "127.0.0.9"],
} as const;

function serve(): Promise<ServedFake> {
  return serveFake({
    websites: [{ ...website, exclude_params: [...website.exclude_params], exclude_ips: [...website.exclude_ips] }],
  });
}

async function check(served: ServedFake, args: readonly string[], stdin = ""): Promise<RunResult> {
  return await runCli(["websites", "check", ...args], { env: served.env, stdin });
}

const counted = { counted: true, reason: null, rule: null, explanation: null };

describe("websites check", () => {
  test("exits with 0 and the URL as it is counted, without excluded parameters", async () => {
    await using served = await serve();
    const url = "https://www.example.com/p?utm_source=a&b=%20c&ref=d#e";
    for (const reference of ["1", "example.com"]) {
      const run = await check(served, [reference, "--url", url, "--ip", "198.51.100.7", "--user-agent", firefox]);
      expect(run).toMatchObject({ exitCode: 0, stderr: "" });
      expect(JSON.parse(run.stdout)).toEqual({
        ...counted,
        visited_url: url,
        url: "https://www.example.com/p?b=%20c#e",
      });
    }
  });

  test.each([
    [
      "ip",
      "203.0.113.0/24",
      ["--ip", "::ffff:203.0.113.9"],
      "The address ::ffff:203.0.113.9 matches the entry 203.0.113.0/24",
    ],
    ["bot", "google", ["--user-agent", "Googlebot/2.1"], 'The user agent "Googlebot/2.1" is that of a bot'],
    ["bot", "^$", ["--user-agent", ""], "The visit has no user agent"],
    ["host", "example.com", ["--hosts", "exact"], "The page is on www.example.com, which is not example.com"],
  ])("exits with 1 and the reason %s, with the entry %s and why", async (reason, rule, args, explanation) => {
    await using served = await serve();
    const run = await check(served, ["1", "--url", "https://www.example.com/", ...args]);
    expect(run).toMatchObject({ exitCode: 1, stderr: "" });
    const record = JSON.parse(run.stdout);
    expect(record).toEqual({
      counted: false,
      reason,
      rule: expect.stringContaining(rule),
      explanation: expect.any(String),
      visited_url: "https://www.example.com/",
      url: null,
    });
    expect(record.explanation).toContain(explanation);
  });

  test("judges neither the address nor the user agent if they are not stated, and says so on a terminal", async () => {
    await using served = await serve();
    const args = ["websites", "check", "example.com", "--url", "https://example.com/"];
    expect(await runCli(args, { env: served.env })).toMatchObject({ exitCode: 0, stderr: "" });
    using terminal = openTerminal(args, { env: served.env, columns: 100 });
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.screen().trimEnd()).toBe(`Counted      yes
Reason       -
Rule         -
Explanation  -
Visited URL  https://example.com/
Counted URL  https://example.com/
exclude_ips is not judged: pass --ip with the address of the visitor.
exclude_bots is not judged: pass --user-agent.`);
  });

  test("prints every format, and the fields that are requested", async () => {
    await using served = await serve();
    const visit = ["1", "--url", "https://example.com/", "--ip", "203.0.113.9"];
    const print = async (...args: string[]) => (await check(served, [...visit, ...args])).stdout;
    const explanation = "The address 203.0.113.9 matches the entry 203.0.113.0/24 of exclude_ips.";
    expect(await print("--output", "csv")).toBe(
      `counted,reason,rule,explanation,visited_url,url\r\nfalse,ip,203.0.113.0/24,${explanation},https://example.com/,\r\n`,
    );
    expect(await print("--output", "yaml", "--fields", "reason,rule")).toBe("reason: ip\nrule: 203.0.113.0/24\n");
    expect(await print("--output", "ndjson", "--fields", "counted")).toBe('{"counted":false}\n');
    expect(await print("--output", "table", "--fields", "counted,explanation")).toBe(
      `Counted      no\nExplanation  ${explanation}\n`,
    );
  });

  test("shows the domain of the website in Unicode and in ASCII, as every table does", async () => {
    await using served = await serveFake({ websites: [{ domain: "bücher.example" }] });
    const show = async (...flags: string[]) => {
      const visit = ["1", "--url", "https://example.com/", "--output", "table", "--fields", "rule"];
      return (await check(served, [...visit, ...flags])).stdout;
    };
    expect(await show()).toBe("Rule  bücher.example (xn--bcher-kva.example)\n");
    expect(await show("--ascii")).toBe("Rule  xn--bcher-kva.example\n");
  });

  test("refuses a visit that is not valid, and names the flag", async () => {
    await using served = await serve();
    const refuse = async (...args: string[]) => {
      const { exitCode, stdout, stderr } = await check(served, ["1", ...args]);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
      return JSON.parse(stderr).error;
    };
    expect(await refuse("--url", "/pricing")).toMatchObject({
      code: "input_refused",
      message: expect.stringMatching(/^--url .*; send /),
    });
    expect((await refuse("--url", "https://example.com/", "--ip", "203.0.113.7:80")).message).toBe(
      '--ip has a port; send only the address, such as "203.0.113.7" or "2001:db8::1".',
    );
    expect((await refuse("--url", "https://example.com/", "--ip", "")).message).toBe(
      '--ip is empty; send only the address, such as "203.0.113.7" or "2001:db8::1", or omit it.',
    );
    expect(await refuse()).toMatchObject({ code: "usage", message: expect.stringContaining("Pass --url") });
    expect(await refuse("-", "--ip", "::1")).toMatchObject({ code: "usage" });
    expect(await refuse("-", "--api-key-stdin")).toMatchObject({ code: "usage" });
    expect(await refuse("--url", "https://example.com/", "--detailed-exitcode")).toMatchObject({ code: "usage" });
  });

  test("exits with 1 if the visit is not counted, also if nobody reads why", async () => {
    await using served = await serve();
    const visit = ["--url", "https://other.example/"];
    const child = spawn(process.execPath, [binPath, "websites", "check", "1", ...visit], {
      env: cleanEnvironment(served.env),
    });
    child.stdout.destroy();
    expect((await once(child, "close"))[0]).toBe(1);
  });

  test("exits with a code of its own if the service fails, since 1 is a verdict", async () => {
    const env = {
      SITEWARD_API_KEY: "swk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA3Ae0o2",
      SITEWARD_BASE_URL: "http://127.0.0.1:9",
    };
    const args = ["websites", "check", "1", "--url", "https://example.com/"];
    const { exitCode, stdout, stderr } = await runCli(args, { env });
    expect({ exitCode, stdout }).toEqual({ exitCode: 8, stdout: "" });
    expect(JSON.parse(stderr).error.code).toBe("connection_failed");
    await using served = await serve();
    expect(await check(served, ["other.example", "--url", "https://example.com/"])).toMatchObject({
      exitCode: 3,
      stdout: "",
    });
  });
});

describe("websites check of a file", () => {
  const visits = [
    { url: "https://example.com/?ref=a", ip: "198.51.100.7", user_agent: firefox },
    { url: "https://example.com/", ip: "203.0.113.7", user_agent: null },
    { url: "https://other.example/" },
    { url: "https://example.com/", user_agent: "" },
  ]
    .map((visit) => JSON.stringify(visit))
    .join("\r\n");
  const summary = { lines: 4, counted: 1, host: 1, ip: 1, bot: 1, invalid: 0 };

  test("prints a verdict for each line as NDJSON, and the counts, with one request", async () => {
    await using served = await serve();
    const run = await check(served, ["1", "-"], `\ufeff${visits}`);
    expect(run.exitCode).toBe(0);
    const records = run.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(records.map(({ line, reason, visited_url, url }) => [line, reason, visited_url, url])).toEqual([
      [1, null, "https://example.com/?ref=a", "https://example.com/"],
      [2, "ip", "https://example.com/", null],
      [3, "host", "https://other.example/", null],
      [4, "bot", "https://example.com/", null],
    ]);
    expect(JSON.parse(run.stderr)).toEqual({ summary });
    expect(served.fake.requests).toHaveLength(1);
  });

  test("prints every format, from a file too, and the counts for people", async () => {
    await using served = await serve();
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "visits.ndjson");
    await writeFile(path, visits);
    const csv = await check(served, ["1", path, "--output", "csv", "--fields", "line,reason"]);
    expect(csv.stdout).toBe("line,reason\r\n1,\r\n2,ip\r\n3,host\r\n4,bot\r\n");
    expect(csv.stderr).toBe("4 visits: 1 counted, 1 host, 1 ip, 1 bot.\n");
    const json = await check(served, ["1", path, "--json"]);
    expect(JSON.parse(json.stdout)).toHaveLength(4);
    const table = await check(served, ["1", path, "--output", "table", "--fields", "line,counted,reason"]);
    expect(table.stdout).toBe(
      "Line  Counted  Reason\n1     yes      -\n2     no       ip\n3     no       host\n4     no       bot\n",
    );
    const missing = await check(served, ["1", `${path}x`]);
    expect(missing).toMatchObject({ exitCode: 2, stdout: "" });
    expect(JSON.parse(missing.stderr).error.message).toBe(`Cannot read ${path}x: no such file or directory.`);
  });

  test("goes on after a line that is not a visit, names it, and exits with 7, or 2 if there is no other", async () => {
    await using served = await serve();
    const lines = [
      "{",
      "",
      "[]",
      '{"URL": "https://example.com/"}',
      "{}",
      '{"url": 7}',
      '{"url": "https://example.com/", "user_agent": 7}',
      `{"url": "https://example.com/${"a".repeat(140_000)}"}`,
      '{"url": "https://example.com/"}',
    ];
    const run = await check(served, ["1", "-"], lines.join("\n"));
    expect(run.exitCode).toBe(7);
    const records = run.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(records.map((record) => [record.line, record.counted, record.explanation])).toEqual([
      [1, null, "The line is not valid JSON."],
      [3, null, 'The line is not an object; send {"url": "https://example.com/"}.'],
      [4, null, '"URL" is unknown; send only url, ip, user_agent.'],
      [5, null, expect.stringMatching(/^url is missing; send /)],
      [6, null, expect.stringMatching(/^url .*; send /)],
      [7, null, expect.stringMatching(/^user_agent .*; send /)],
      [8, null, "The line is longer than 128 KiB."],
      [9, true, null],
    ]);
    expect(records.slice(-4).map(({ visited_url }) => visited_url)).toEqual([
      null,
      "https://example.com/",
      null,
      "https://example.com/",
    ]);
    const [counts = "", error = ""] = run.stderr.split("\n");
    expect(JSON.parse(counts).summary).toMatchObject({ lines: 8, counted: 1, invalid: 7 });
    expect(JSON.parse(error).error).toMatchObject({
      code: "partly_done",
      message: "7 lines are not valid visits. The others are judged.",
    });
    expect(await check(served, ["1", "-"], "no\nyes\n")).toMatchObject({ exitCode: 2 });
  });

  test("exits with 2 if there is no visit, as if the log of a one-liner has another format", async () => {
    await using served = await serve();
    for (const stdin of ["", "\n \n"]) {
      const run = await check(served, ["1", "-"], stdin);
      expect(run).toMatchObject({ exitCode: 2, stdout: "" });
      const [counts = "", error = ""] = run.stderr.split("\n");
      expect(JSON.parse(counts).summary).toMatchObject({ lines: 0 });
      expect(JSON.parse(error).error).toMatchObject({
        code: "input_refused",
        message: "There are no visits to judge.",
      });
    }
  });

  test("prints the counts of a log that still grows at Ctrl-C", async () => {
    await using served = await serve();
    const child = spawn(process.execPath, [binPath, "websites", "check", "1", "-"], {
      env: cleanEnvironment(served.env),
    });
    child.stdin.on("error", () => undefined).write('{"url": "https://example.com/"}\n');
    const stderr = text(child.stderr);
    await once(child.stdout, "data");
    child.kill("SIGINT");
    expect((await once(child, "close"))[0]).toBe(130);
    const [counts = "", error = ""] = (await stderr).split("\n");
    expect(JSON.parse(counts).summary).toMatchObject({ lines: 1, counted: 1 });
    expect(JSON.parse(error).error.code).toBe("interrupted");
  });

  test("prints each verdict while the log still grows, and ends with its reader", async () => {
    await using served = await serve();
    const child = spawn(process.execPath, [binPath, "websites", "check", "1", "-"], {
      env: cleanEnvironment(served.env),
    });
    child.stdin.on("error", () => undefined).write('{"url": "https://example.com/"}\n');
    expect(String(await once(child.stdout, "data"))).toContain('{"line":1,"counted":true');
    child.stdout.destroy();
    child.stdin.write('{"url": "https://example.com/"}\n');
    child.stdin.end('{"url": "https://example.com/"}\n');
    expect((await once(child, "close"))[0]).toBe(0);
  });
});

describe.skipIf(lacksProgram("jq"))("the line of docs/cli-visits.md for an access log", () => {
  const logs = fileURLToPath(new URL("support/access-logs", import.meta.url));
  const page = new URL("../../../docs/cli-visits.md", import.meta.url);

  /** Runs the line of the page for this log, next to a log that a real server wrote. */
  async function judgeLog(name: string, recorded: string): Promise<readonly (readonly unknown[])[]> {
    await using served = await serve();
    await using folder = await createTemporaryFolder();
    await copyFile(join(logs, recorded), join(folder.path, name));
    await writeFile(join(folder.path, "siteward"), `#!/bin/sh\nexec '${process.execPath}' '${binPath}' "$@"\n`);
    await chmod(join(folder.path, "siteward"), 0o755);
    const line = (await readFile(page, "utf8")).split("\n").find((each) => each.includes(` ${name} |`)) ?? "";
    const env = cleanEnvironment(served.env);
    const path = [folder.path, dirname(process.execPath), env["PATH"]].join(delimiter);
    const child = spawn("bash", ["-o", "pipefail", "-c", line], { cwd: folder.path, env: { ...env, PATH: path } });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    expect(child.exitCode, stderr).toBe(0);
    expect((await readdir(folder.path)).toSorted()).toEqual([name, "siteward"].toSorted());
    return stdout
      .trimEnd()
      .split("\n")
      .map((each) => JSON.parse(each))
      .map(({ reason, url }) => [reason, url]);
  }

  test("judges what nginx wrote, whatever quotes and escapes a visitor sent", async () => {
    expect(await judgeLog("access.log", "nginx.txt")).toEqual([
      [null, "https://example.com/pricing?plan=2"],
      ["ip", null],
      ["bot", null],
      [null, "https://example.com/about"],
      ["bot", null],
      [null, "https://example.com/caf%C3%A9?name=%E9"],
      ["bot", null],
      ["bot", null],
      [null, "https://example.com/other"],
      [null, "https://example.com/referer"],
    ]);
  });

  test("judges what Caddy wrote, with the host of each request", async () => {
    expect(await judgeLog("caddy.log", "caddy.txt")).toEqual([
      [null, "https://example.com/pricing?plan=2"],
      ["ip", null],
      ["bot", null],
      [null, "https://example.com/about"],
      ["ip", null],
      ["bot", null],
      ["bot", null],
      ["host", null],
      [null, "https://example.com/referer"],
    ]);
  });
});
