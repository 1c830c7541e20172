import { existsSync } from "node:fs";
import { join } from "node:path";
import { cliBin } from "@siteward/testing/servers/built-programs";
import { describe, expect } from "vitest";
import { test } from "./support/cli-test.ts";
import { runInTerminal } from "./support/open-terminal.ts";
import { errorOf } from "./support/run-cli.ts";
import { runInShell } from "./support/start-cli.ts";

/** Every write to this device fails as on a full disk. Only Linux and some BSDs have it. */
const fullDevice = "/dev/full";
const message = "Cannot write the result: no space left on device.";
const domains = Array.from({ length: 700 }, (_, index) => `site-${index}.example`);

describe("a reader that goes away", () => {
  test.for([
    "websites list --all --output table",
    "websites list --all --output csv",
    "export",
    "api GET websites?per_page=100",
    "websites update --help",
    "--version",
  ])("is no error of `siteward %s`", async (words, { cli }) => {
    await cli.add(...domains);
    const { exitCode, stdout, stderr } = await runInShell(words, "| head -1", cli.env);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout.split("\n")).toEqual([expect.stringMatching(/./), ""]);
  });

  test("before anything is written is no error either", async ({ cli }) => {
    await cli.add(...domains);
    const run = await runInShell("websites list --all --output ndjson", "| true", cli.env);
    expect(run).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  });

  test.for([
    ["import domains.txt --on-conflict fail", 5],
    ["plan siteward.yaml --detailed-exitcode", 2],
    ["plan siteward.yaml --detailed-exitcode --output table", 2],
    ["check domains.txt", 2],
    ["websites create example.com new.example", 7],
    ["websites delete 1 2 --yes", 7],
    ["api GET websites/99 --include", 3],
  ] as const)("does not change the exit code of `siteward %s`", async ([words, code], { cli, folder }) => {
    await cli.add("example.com", "kept.example");
    await folder.write("domains.txt", "example.com\nnot a domain\n");
    await folder.write("siteward.yaml", "version: 1\nwebsites: [example.com, new.example]\n");
    cli.fake.failNext({ code: "insufficient_scope", method: "DELETE", path: "/api/v1/websites/2" });
    const inFolder = words.replace(/\S+\.(txt|yaml)/, (name) => join(folder.path, name));
    const { exitCode } = await runInShell(inFolder, "| true", cli.env);
    expect(exitCode).toBe(code);
  });

  test("of a plan does not keep `siteward apply --yes` from applying it", async ({ cli, folder }) => {
    const path = await folder.write("siteward.yaml", "version: 1\nwebsites: [new.example]\n");
    expect(await runInShell(`apply ${path} --yes --output table`, "| true", cli.env)).toMatchObject({ exitCode: 0 });
    expect(cli.fake.websites).toHaveLength(1);
  });

  test("ends a list that streams: no further page is read", async ({ cli }) => {
    await cli.add(...Array.from({ length: 4000 }, (_, index) => `site-${index}.example`));
    const { child, ended } = cli.start("websites list --all -o ndjson");
    child.stdout.once("data", () => child.stdout.destroy());
    expect(await ended).toMatchObject({ exitCode: 0, stderr: "" });
    expect(cli.fake.requests.length).toBeLessThan(40);
  });
});

describe.skipIf(!existsSync(fullDevice))("a full disk", () => {
  test.for([
    "websites list",
    "websites list --all --output ndjson",
    "websites get 1 --output table",
    "export",
    `export ${fullDevice}`,
    "api GET account --include",
    "plan siteward.yaml",
    "completion bash",
    "websites update --help",
    "--version",
  ])("is one plain error and exit code 1 of `siteward %s`", async (words, { cli, folder }) => {
    await cli.add(...domains.slice(0, 300));
    const path = await folder.write("siteward.yaml", "version: 1\nwebsites: [new.example]\n");
    const run = await runInShell(words.replace("siteward.yaml", path), `>${fullDevice}`, cli.env);
    expect(run.exitCode).toBe(1);
    const isJson = !words.includes("--output table") && !words.includes("--output csv");
    if (isJson) expect(errorOf(run)).toEqual({ code: "output_failed", message });
    else expect(run.stderr).toBe(`Error: ${message}\n`);
  });

  test("of the file of an export leaves neither a file nor a stack trace", async ({ cli }) => {
    const run = await runInShell(`export ${fullDevice}/websites.json`, "", cli.env);
    expect(run.exitCode).toBe(2);
    expect(errorOf(run).message).toContain(`${fullDevice}/websites.json`);
  });

  test.for([
    ["websites get 1", 0],
    ["websites get 99999", 3],
    ["websites lst", 2],
    ["--verbose account", 0],
  ] as const)(
    "for messages changes neither the result nor the exit code of `siteward %s`",
    async ([words, exitCode], { cli }) => {
      await cli.add("example.com");
      const { stdout } = await cli.run(words);
      const run = await runInShell(words, `2>${fullDevice}`, cli.env);
      expect({ ...run, stdout: run.stdout.replaceAll(/"last_used_at.*/g, "") }).toEqual({
        exitCode,
        stdout: stdout.replaceAll(/"last_used_at.*/g, ""),
        stderr: "",
      });
    },
  );
});

describe("closed streams", () => {
  test.for([
    ["websites get 1", "<&- 2>&-", 0],
    ["websites delete 1", "<&-", 2],
    ["login --api-key-stdin", "<&-", 2],
    ["import -", "<&-", 2],
    ["import - --format list", "</dev/null", 2],
  ] as const)("`siteward %s %s` ends with %i and no stack trace", async ([words, redirection, exitCode], { cli }) => {
    await cli.add("example.com");
    const run = await runInShell(words, redirection, cli.env);
    expect(run.stderr).not.toMatch(/\n\s+at |Warning:/);
    expect(run.exitCode).toBe(exitCode);
  });

  test.for(["websites get 1", "--help"])(
    "a closed stdout is no reason for a stack trace: %s",
    async (words, { cli }) => {
      expect((await runInShell(words, ">&-", cli.env)).stderr).not.toMatch(/\n\s+at /);
    },
  );
});

test("errors are text for a person whose result goes to a program", async () => {
  using terminal = runInTerminal(["/bin/sh", "-c", `"$0" "$1" account >/dev/null`, process.execPath, cliBin]);
  await terminal.exitCode;
  expect(terminal.screen()).toContain("Error: No API key was found.\nLog in with");
});
