import { readFile } from "node:fs/promises";
import { defaultOrder, listWebsitesQuery } from "@siteward/contract";
import { describe, expect, test } from "vitest";
import { createProgram } from "../src/program.ts";
import { recordIo } from "./support/recorded-io.ts";
import { runCli, showCli } from "./support/run-cli.ts";

const pages = Object.entries(await createProgram(recordIo().io).helpPages());

describe("the help of each group and each command", () => {
  test.each(pages)("siteward %s: says in 80 columns what it does, and explains each argument", (words, page) => {
    expect(page).toMatch(/^Usage: siteward .*\n(?: .*\n)*\n[A-Z][^\n]*[^.]\.\n\n/);
    const examples = /\nExamples:\n((?: {2}.+\n)+)$/.exec(page)?.[1]?.trimEnd().split("\n") ?? [];
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(`${example.trim()} `).toMatch(new RegExp(`^(.* \\| )?siteward ${words}`));
    // Command lines to copy can be longer.
    expect(page.split("\n").filter((line) => line.length > 80 && !/^ {2}.*\bsiteward /.test(line))).toEqual([]);
    const items = [...page.matchAll(/^ {2}(-.*?|[a-z]+)(?: {2,}(.*))?$/gm)].filter(([, term]) => term !== undefined);
    for (const [, term, description] of items) expect([term, description]).toEqual([term, expect.stringMatching(/\w/)]);
  });
});

test("help is printed on stdout, with bold titles on a terminal", async () => {
  const { stdout } = await runCli("websites get --help");
  const { raw, screen } = await showCli("websites get --help", { columns: 120 });
  expect(screen.styledLines).toEqual(expect.arrayContaining(["Arguments:", "Global Options:", "Examples:"]));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds colors
  expect(raw.replaceAll("\r\n", "\n").replaceAll(/\u001b\[\d+m/g, "")).toBe(stdout);
});
test.each([
  ["--help foo", "siteward"],
  ["websites --help", "siteward websites"],
  ["help websites", "siteward websites"],
  ["websites help", "siteward websites"],
  ["websites get 7 --help", "siteward websites get"],
  ["help websites list", "siteward websites list"],
  ["websites help list", "siteward websites list"],
  ["websites rm --help", "siteward websites delete"],
  ["help profiles ls", "siteward profiles list"],
])("`siteward %s` prints the help of %s", async (words, command) => {
  const run = await runCli(words);
  expect(run).toEqual({ exitCode: 0, stdout: (await runCli(`${command.slice(9)} --help`)).stdout, stderr: "" });
  expect(run.stdout).toMatch(new RegExp(`^Usage: ${command}(\\|\\w+)? \\[`));
  expect(run.stdout).toContain("--output <format>");
});

test("without a command, the help goes to stderr if errors are text", async () => {
  const run = await runCli("-o table");
  expect(run).toMatchObject({ exitCode: 2, stdout: "" });
  expect(run.stderr).toMatch(/^Usage: siteward/);
});

test.each(["--version", "-V", "account --no-color -V"])("%s prints the version of the package", async (words) => {
  const manifest = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
  expect(await runCli(words)).toEqual({ exitCode: 0, stdout: `${manifest.version}\n`, stderr: "" });
});

test("the help of `siteward websites list` names the default of the contract for each flag", async () => {
  const { stdout } = await runCli("websites list --help");
  const named = [...stdout.replace(/\s+/g, " ").matchAll(/--([a-z-]+) <\w+> (?:(?!--)[^(])*\(default: (\w+)\)/g)];
  // No flag sets search_by, which has only one value, and entity_tags, which are for programs.
  const { search_by: _, entity_tags: __, ...defaults } = { ...defaultOrder, ...listWebsitesQuery.parse({}) };
  const expected = Object.entries(defaults).map(([field, value]) => [field.replaceAll("_", "-"), String(value)]);
  expect(Object.fromEntries(named.map(([, flag, value]) => [flag, value]))).toMatchObject(Object.fromEntries(expected));
});
