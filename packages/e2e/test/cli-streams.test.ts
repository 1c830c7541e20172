import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, startBuiltServer } from "./support/built-server.ts";
import { type CliAccount, createCliAccount } from "./support/cli-account.ts";
import { mapConcurrently } from "./support/map-concurrently.ts";
import { readRealDomains } from "./support/real-domains.ts";
import { runInShell } from "./support/run-in-shell.ts";

/** Every write to this device fails as on a full disk. Only Linux and some BSDs have it. */
const fullDevice = "/dev/full";
const formats = ["table", "json", "ndjson", "csv", "yaml"];
const websites = 700;

const folder = mkdtempSync(join(tmpdir(), "siteward-e2e-"));
const siteFile = join(folder, "siteward.yaml");
writeFileSync(siteFile, "version: 1\nwebsites: [new.example]\n");

let server: BuiltServer;
let account: CliAccount;

beforeAll(async () => {
  server = await startBuiltServer();
  account = await createCliAccount(server);
  await mapConcurrently(readRealDomains().slice(0, websites), 8, (domain) =>
    account.siteward.websites.create({ domain }),
  );
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function run(commandLine: string, redirection: string) {
  return runInShell(commandLine.split(" "), redirection, account.env);
}

describe("a reader that goes away", { concurrent: true }, () => {
  test.each([
    ...formats.map((format) => `websites list --all --output ${format}`),
    "export",
    "export --output csv",
    "api GET websites -q per_page=100",
    "websites update --help",
    "--version",
  ])("is no error of `siteward %s`", async (commandLine) => {
    const { exitCode, stdout, stderr } = await run(commandLine, "| head -1");
    expect(stderr).toBe("");
    expect(stdout.split("\n")).toEqual([expect.stringMatching(/./), ""]);
    expect(exitCode).toBe(0);
  });

  test("before anything is written is no error either", async () => {
    expect(await run("websites list --all --output ndjson", "| true")).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  });
});

describe.skipIf(!existsSync(fullDevice))("a full disk", { concurrent: true }, () => {
  test.each([
    ...formats.flatMap((format) => [`websites list --all --output ${format}`, `websites get 1 --output ${format}`]),
    "account",
    "export",
    "export --output csv",
    "api GET account",
    "api GET account --include",
    "schema",
    `plan ${siteFile}`,
    "completion bash",
    "profiles list",
    "--help",
    "websites update --help",
    "help import",
    "--version",
  ])("is one plain error and exit code 1 of `siteward %s`", async (commandLine) => {
    const { exitCode, stderr } = await run(commandLine, `>${fullDevice}`);
    expect(stderr).toContain("Cannot write the result: no space left on device.");
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(exitCode).toBe(1);
  });

  test("of the file of an export leaves neither a file nor a stack trace", async () => {
    const { exitCode, stderr } = await run(`export ${fullDevice}/websites.json`, "");
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(JSON.parse(stderr).error.message).toContain(`${fullDevice}/websites.json`);
    expect(exitCode).toBeGreaterThan(0);
  });

  test.each([
    ["websites get 1", 0],
    ["websites get 99999", 3],
    ["websites lst", 2],
    ["--verbose account", 0],
  ])("for messages changes neither the result nor the exit code of `siteward %s`", async (commandLine, exitCode) => {
    const { stdout: expected } = await run(commandLine, "2>/dev/null");
    expect(await run(commandLine, `2>${fullDevice}`)).toEqual({ exitCode, stdout: expected, stderr: "" });
  });
});

describe("closed streams", { concurrent: true }, () => {
  test.each([
    ["websites get 1", "<&-", 0],
    ["websites get 1", "2>&-", 0],
    ["websites get 1", "<&- 2>&-", 0],
    ["websites delete 1", "<&-", 2],
    ["login", "<&-", 2],
    ["login --api-key-stdin", "<&-", 2],
    ["import -", "<&-", 2],
    ["import - --format list", "</dev/null", 2],
  ])("`siteward %s %s` ends with %i and no stack trace", async (commandLine, redirection, exitCode) => {
    const result = await run(commandLine, redirection);
    expect(result.stderr).not.toMatch(/\n\s+at |Warning:/);
    expect(result.exitCode).toBe(exitCode);
  });

  test("a closed stdout is no reason for a stack trace", async () => {
    for (const commandLine of ["websites get 1", "--help", "--version"]) {
      expect((await run(commandLine, ">&-")).stderr).not.toMatch(/\n\s+at /);
    }
  });
});
