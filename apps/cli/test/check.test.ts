import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { test } from "./support/cli-test.ts";
import { errorOf, jsonOf, runCli, warningsOf } from "./support/run-cli.ts";

describe("siteward check", () => {
  test("lists the problems of a file without a key or a service, and exits with 2", async () => {
    const stdin = "version: 1\nwebsites:\n  - a.example\n  - {domain: b.example, emial: on}\n";
    const run = await runCli("check -", { stdin });
    expect(run.exitCode).toBe(2);
    const problem = '"emial" is unknown; did you mean email?';
    expect(jsonOf(run)).toEqual([{ place: "line 4", domain: "b.example", problem }]);
    expect(errorOf(run)).toEqual({ code: "input_refused", message: "Standard input has 1 problem." });
    const table = await runCli("check - --output table", { stdin });
    expect(table.stdout).toBe(`line 4: b.example: ${problem}\n`);
  });

  test("warns of what a plan or an apply can refuse, and exits with 0", async ({ cli }) => {
    const stdin = `version: 1
defaults: { privacy: password }
websites:
  - a.example
  - { domain: b.example, password_env: B_PASSWORD }
  - { domain: c.example, password_env: C_PASSWORD }
  - { domain: d.example, password_file: /nonexistent/d.txt }
`;
    const env = { B_PASSWORD: "correct horse", C_PASSWORD: "secret" };
    const run = await runCli("check -", { stdin, env });
    expect(run).toMatchObject({ exitCode: 0, stdout: "[]\n" });
    expect(warningsOf(run)).toEqual([
      `A plan refuses these websites, unless the account has a password for them:
  line 4: a.example: password is required if privacy is password; add password_env or password_file`,
      `These websites have no valid password in this environment. An apply that has to send it refuses them:
  line 6: c.example: password_env: the value of C_PASSWORD is 6 characters long; send 8 to 256 characters
  line 7: d.example: password_file: "/nonexistent/d.txt" cannot be read: no such file or directory`,
    ]);
    const planned = errorOf(await cli.run("plan -", { stdin }));
    expect(planned.message).toContain("line 4: a.example: password is required if privacy is password");
    expect(run.stderr).not.toContain("horse");
  });

  test("looks at password files without opening them: a pipe loses no content", async ({ folder }) => {
    const pipe = join(folder.path, "pipe");
    execFileSync("mkfifo", [pipe]);
    const websites = [pipe, "/nonexistent", "/dev/zero"].map(
      (path, index) => `  - { domain: ${"abc"[index]}.example, privacy: password, password_file: ${path} }\n`,
    );
    const run = await runCli("check -", { stdin: `version: 1\nwebsites:\n${websites.join("")}` });
    expect(run.exitCode).toBe(0);
    expect(warningsOf(run)[0]?.split("\n").slice(1)).toEqual([
      '  line 4: b.example: password_file: "/nonexistent" cannot be read: no such file or directory',
    ]);
  });

  test("names a file that does not exist", async () => {
    const run = await runCli("check /nonexistent/siteward.yaml");
    expect(run.exitCode).toBe(2);
    expect(errorOf(run)).toEqual({
      code: "usage",
      message: "Cannot read /nonexistent/siteward.yaml: no such file or directory.",
      next: "To write one from your account, use `siteward export siteward.yaml`.",
    });
  });
});
