import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { createProgram } from "../src/program.ts";
import { runCli } from "./support/run-cli.ts";

// None of the commands runs.
const io = {
  ...process,
  homeDirectory: "",
  facts: {},
  runtime: process,
  interruption: { takeOver: () => Object.assign(new AbortController(), { [Symbol.dispose]: () => undefined }) },
};
const pages = Object.entries(await createProgram(io).describe());

describe("the program, each group and each command", () => {
  test.each(pages)("siteward %s: says in a sentence what it does", (_words, { summary }) => {
    expect(summary).toMatch(/^[A-Z].*[^.]\.$/);
  });

  test.each(pages)("siteward %s: has examples of itself", (words, { examples }) => {
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(`${example} `).toMatch(new RegExp(`^(.* \\| )?siteward ${words}`));
  });

  test.each(pages)("siteward %s: explains each argument and option", (_words, page) => {
    for (const { term, description } of [...page.arguments, ...page.options, ...page.globalOptions, ...page.commands]) {
      expect({ term, description }).toEqual({ term, description: expect.stringMatching(/\w/) });
    }
  });
});

test("help is printed on stdout, with the options of all commands", async () => {
  const run = await runCli(["websites", "get", "--help"]);
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(run.stdout).toMatch(/^Usage: siteward websites get /);
  expect(run.stdout).toContain("Examples:\n  siteward websites get ");
  expect(run.stdout).toContain("--output <format>");
});

test("help is 80 columns wide without a terminal, and as wide as COLUMNS says", async () => {
  const widths = ["", "40", "1000"].map(async (columns) => {
    const { stdout } = await runCli(["--help"], { env: { COLUMNS: columns } });
    return Math.max(
      ...stdout
        .replace(/^Examples:\n(?: .*\n)*/m, "")
        .split("\n")
        .map((line) => line.length),
    );
  });
  const [unknown, narrow, wide] = await Promise.all(widths);
  expect(unknown).toBeGreaterThan(70);
  expect(unknown).toBeLessThanOrEqual(80);
  expect(narrow).toBeLessThanOrEqual(40);
  expect(wide).toBeGreaterThan(80);
});

test.each([
  [["--help", "foo"], "siteward"],
  [["websites", "--help"], "siteward websites"],
  [["help", "websites"], "siteward websites"],
  [["websites", "get", "7", "--help"], "siteward websites get"],
])("%j prints the help of %s", async (args, words) => {
  const run = await runCli(args);
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(run.stdout).toContain(`Usage: ${words} [`);
});

test("`help` before a command, or between its group and its name, prints its --help", async () => {
  const help = await runCli(["websites", "list", "--help"]);
  expect(await runCli(["help", "websites", "list"])).toEqual(help);
  expect(await runCli(["websites", "help", "list"])).toEqual(help);
  expect(await runCli(["websites", "help"])).toEqual(await runCli(["websites", "--help"]));
});

test.each([
  [["help", "foo"], "Unknown command 'foo'."],
  [["help", "websites", "lst", "--all"], "Unknown command 'lst'. Did you mean list?"],
  [["websites", "help", "lst"], "Unknown command 'lst'. Did you mean list?"],
  [["foo", "--help"], "Unknown command 'foo'."],
  [["-o", "json", "foo", "-h"], "Unknown command 'foo'."],
  [["websites", "lst", "--all", "--help"], "Unknown command 'lst'. Did you mean list?"],
])("%j, the help of a command that does not exist, is refused", async (args, message) => {
  const { exitCode, stdout, stderr } = await runCli(args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(JSON.parse(stderr).error.message).toBe(message);
});

test("without a command, the help goes to stderr if errors are text", async () => {
  const run = await runCli(["-o", "table"]);
  expect(run).toMatchObject({ exitCode: 2, stdout: "" });
  expect(run.stderr).toMatch(/^Usage: siteward/);
});

test.each(["--version", "-V"])("%s prints the version of the package", async (flag) => {
  const manifest = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
  expect(await runCli([flag])).toEqual({ exitCode: 0, stdout: `${manifest.version}\n`, stderr: "" });
  expect((await runCli(["account", "--no-color", flag])).stdout).toBe(`${manifest.version}\n`);
});
