import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writesTo } from "./support/apply-file.ts";
import { openTerminal } from "./support/open-terminal.ts";
import { type RunResult, runCli } from "./support/run-cli.ts";
import { type ServedFake, serveFake } from "./support/serve-fake.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const file = `version: 1
defaults: { privacy: private }
websites:
  - a.example
  - domain: b.example
    email: true
    exclude_ips: [203.0.113.9/24]
`;

/** Runs the CLI with a site file on standard input, which it reads as the file "-". */
async function run(served: ServedFake, args: readonly string[], text = file): Promise<RunResult> {
  return await runCli(args, { env: { ...served.env, A_PASSWORD: "correct horse" }, stdin: text });
}

describe("plan", () => {
  test("prints the changes with the values of the HTTP interface, and changes nothing", async () => {
    await using served = await serveFake({ websites: [{ domain: "a.example" }, { domain: "z.example" }] });
    const { fake } = served;
    const planned = await run(served, ["plan", "-"]);
    expect(planned).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(planned.stdout)).toEqual({
      create: 1,
      update: 1,
      delete: 0,
      unchanged: 0,
      not_in_file: 1,
      changes: [
        {
          action: "update",
          domain: "a.example",
          id: 1,
          place: "line 4",
          before: { privacy: 0 },
          after: { privacy: 1 },
          password: null,
        },
        {
          action: "create",
          domain: "b.example",
          id: null,
          place: "line 5",
          before: null,
          after: { privacy: 1, email: 1, exclude_bots: 1, exclude_params: [], exclude_ips: ["203.0.113.0/24"] },
          password: null,
        },
      ],
    });
    expect(writesTo(fake)).toEqual([]);
  });

  test("is text for people on request, and says how many websites are not in the file", async () => {
    await using served = await serveFake({ websites: [{ domain: "a.example" }, { domain: "z.example" }] });
    const { stdout } = await run(served, ["plan", "-", "--output", "table"]);
    expect(stdout).toBe(`~ a.example (ID 1)
    privacy: public → private
+ b.example
    privacy: private
    email: true
    exclude_ips: 203.0.113.0/24

Plan: 1 to create, 1 to update. 0 websites are as in the file.
1 website is not in the file and stays as it is. --prune deletes what is not in the file.
`);
  });

  test.each([
    ["0 without changes", "version: 1\nwebsites: [a.example]", [], 0],
    ["2 with changes", file, [], 2],
    ["2 with deletes", "version: 1\nwebsites: []", ["--prune"], 2],
    ["1 for a file with problems", "version: 2", [], 1],
    ["1 for wrong usage", file, ["--prun"], 1],
    ["1 for a wrong key", file, ["--api-key-file", "/dev/null"], 1],
  ])("--detailed-exitcode ends with %s", async (_what, text, flags, exitCode) => {
    await using served = await serveFake({ websites: [{ domain: "a.example" }] });
    expect(await run(served, ["plan", "-", "--detailed-exitcode", ...flags], text)).toMatchObject({ exitCode });
  });

  test("lists every problem of the file with its line, before it sends a request", async () => {
    await using served = await serveFake();
    const { fake } = served;
    const { exitCode, stdout, stderr } = await run(served, ["plan", "-"], "version: 1\nwebsites:\n  - a/b\n  - [c]\n");
    expect({ exitCode, stdout, requests: fake.requests }).toEqual({ exitCode: 2, stdout: "", requests: [] });
    expect(JSON.parse(stderr).error).toEqual({
      code: "input_refused",
      message: `Standard input has 2 problems:
  line 3: a/b: domain contains a path; send a host name such as "example.com"
  line 4: is not a website; write a domain, or a mapping with "domain:"`,
    });
  });

  test("sends one request for each 100 websites, and one more", async () => {
    const domains = Array.from({ length: 1000 }, (_, index) => `site-${index}.example`);
    await using served = await serveFake({ websites: domains.map((domain) => ({ domain })) });
    const text = `version: 1\nwebsites: [${domains.join(", ")}]`;
    expect(JSON.parse((await run(served, ["plan", "-"], text)).stdout)).toMatchObject({ unchanged: 1000, changes: [] });
    expect(served.fake.requests).toHaveLength(11);
    expect(JSON.parse((await run(served, ["plan", "-", "--prune"], text)).stdout)).toMatchObject({ unchanged: 1000 });
    expect(served.fake.requests).toHaveLength(21);
  });

  test("reads siteward.yaml of the current folder by default, and has colors on a terminal", async () => {
    await using folder = await createTemporaryFolder();
    await using served = await serveFake();
    await writeFile(join(folder.path, "siteward.yaml"), file);
    using terminal = openTerminal(["plan"], { env: served.env, folder: folder.path });
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.raw()).toContain("\u001b[32m+ a.example\u001b[39m");
    expect(terminal.screen()).toContain("Plan: 2 to create.");
  });
});

describe("check", () => {
  test("lists the problems of a file without a key or a service, and exits with 2", async () => {
    const text = "version: 1\nwebsites:\n  - a.example\n  - {domain: b.example, emial: on}\n";
    const { exitCode, stdout, stderr } = await runCli(["check", "-"], { stdin: text });
    expect(exitCode).toBe(2);
    const problem = '"emial" is unknown; did you mean email?';
    expect(JSON.parse(stdout)).toEqual([{ place: "line 4", domain: "b.example", problem }]);
    expect(JSON.parse(stderr).error).toEqual({ code: "input_refused", message: "Standard input has 1 problem." });
    const table = await runCli(["check", "-", "--output", "table"], { stdin: text });
    expect(table.stdout).toBe(`line 4: b.example: ${problem}\n`);
  });

  test("says of a CSV file that it is no site file, and what reads it; so does a plan", async () => {
    await using folder = await createTemporaryFolder();
    await using served = await serveFake();
    const path = join(folder.path, "mil.csv");
    await writeFile(path, "domain,privacy\na.example,private\n");
    for (const command of ["check", "plan"]) {
      const { exitCode, stdout, stderr } = await runCli([command, path], { env: served.env });
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
      expect(JSON.parse(stderr).error).toMatchObject({
        message: `${path} is CSV, and no site file, which is YAML.`,
        next: `To check it, use \`siteward import ${path} --dry-run\`. To import its websites, omit --dry-run.`,
      });
    }
  });

  test("exits with 0 if the file is valid", async () => {
    expect(await runCli(["check", "-"], { stdin: file })).toEqual({ exitCode: 0, stdout: "[]\n", stderr: "" });
  });

  test("warns of what a plan or an apply can refuse, and exits with 0", async () => {
    const text = `version: 1
defaults: { privacy: password }
websites:
  - a.example
  - { domain: b.example, password_env: B_PASSWORD }
  - { domain: c.example, password_env: C_PASSWORD }
  - { domain: d.example, password_file: /nonexistent/d.txt }
`;
    const env = { B_PASSWORD: "correct horse", C_PASSWORD: "secret" };
    const { exitCode, stdout, stderr } = await runCli(["check", "-"], { stdin: text, env });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "[]\n" });
    const warnings = stderr
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).warning.message);
    expect(warnings).toEqual([
      `A plan refuses these websites, unless the account has a password for them:
  line 4: a.example: privacy: password requires a password. \
Add password_env, the name of an environment variable, or password_file, the path of a file`,
      `These websites have no valid password in this environment. An apply that has to send it refuses them:
  line 6: c.example: password_env: the value of C_PASSWORD is 6 characters long; send 8 to 256 characters
  line 7: d.example: password_file: cannot read "/nonexistent/d.txt": no such file or directory`,
    ]);
    await using served = await serveFake();
    const planned = await run(served, ["plan", "-"], text);
    expect(JSON.parse(planned.stderr).error.message).toContain(
      "line 4: a.example: privacy: password requires a password",
    );
    expect(stdout + stderr).not.toContain("horse");
  });

  test("looks at password files without opening them, so that a pipe neither waits nor loses its content", async () => {
    await using folder = await createTemporaryFolder();
    const [pipe, short, long] = ["pipe", "short", "long"].map((name) => join(folder.path, name));
    execFileSync("mkfifo", [pipe ?? ""]);
    await Promise.all([writeFile(short ?? "", "secret"), writeFile(long ?? "", "x".repeat(2000))]);
    const websites = [pipe, short, long, folder.path, "/dev/zero"].map(
      (path, index) => `  - { domain: ${"abcde"[index]}.example, privacy: password, password_file: ${path} }\n`,
    );
    const text = `version: 1\nwebsites:\n${websites.join("")}`;
    const { exitCode, stderr } = await runCli(["check", "-"], { stdin: text });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stderr).warning.message.split("\n").slice(1)).toEqual([
      `  line 4: b.example: password_file: "${short}" has fewer than 8 characters; send 8 to 256 characters`,
      `  line 5: c.example: password_file: "${long}" has more than 256 characters; send 8 to 256 characters`,
      `  line 6: d.example: password_file: "${folder.path}" is a folder; name a file`,
    ]);
  });

  test("names a file that does not exist", async () => {
    const { exitCode, stderr } = await runCli(["check", "/nonexistent/siteward.yaml"]);
    expect(exitCode).toBe(2);
    expect(JSON.parse(stderr).error).toEqual({
      code: "usage",
      message: "Cannot read /nonexistent/siteward.yaml: no such file or directory.",
      next: "To write one from your account, use `siteward export siteward.yaml`.",
    });
  });
});
