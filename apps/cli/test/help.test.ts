import { readFile } from "node:fs/promises";
import { defaultOrder, listWebsitesQuery } from "@siteward/contract";
import { describe, expect, test } from "vitest";
import { createProgram } from "../src/program.ts";
import { recordIo } from "./support/recorded-io.ts";
import { errorOf, runCli, showCli } from "./support/run-cli.ts";

const pages = Object.entries(await createProgram(recordIo().io).describe());

describe("the help of each group and each command", () => {
  test.each(pages)("siteward %s: says in a sentence what it does, and explains each argument", (words, page) => {
    expect(page.summary).toMatch(/^[A-Z].*[^.]\.$/);
    expect(page.examples.length).toBeGreaterThan(0);
    for (const example of page.examples) expect(`${example} `).toMatch(new RegExp(`^(.* \\| )?siteward ${words}`));
    for (const { term, description } of [...page.arguments, ...page.options, ...page.globalOptions, ...page.commands]) {
      expect({ term, description }).toEqual({ term, description: expect.stringMatching(/\w/) });
    }
  });

  test.each([40, 60, 80, 100, 200])("breaks its lines between words at %i columns", async (columns) => {
    expect(pages.length).toBeGreaterThan(20);
    for (const [words, { examples }] of pages) {
      const { exitCode, screen, text, raw } = await showCli(`${words} --help`, { columns });
      expect(exitCode).toBe(0);
      for (const example of examples) expect(raw).toContain(`\n  ${example}\r\n`);
      // An indented line with a command or a file is in one piece, so that it can be copied.
      const broken = screen.wrappedLines.filter((line) => !/^ {2}.*(?:\bsiteward |~\/|# )/.test(line));
      expect(
        broken.filter((line) =>
          line
            .trim()
            .replaceAll(/`[^`]*`/g, "command")
            .includes(" "),
        ),
      ).toEqual([]);
      expect(text).toMatch(/^Usage: siteward[\s\S]*\nExamples:\n/);
    }
  });
});

test("help is printed on stdout, 80 columns wide without a terminal, and as wide as COLUMNS says", async () => {
  const widthAt = async (columns: string): Promise<number> => {
    const { stdout } = await runCli("--help", { env: { COLUMNS: columns } });
    const lines = stdout.replace(/^Examples:\n(?: .*\n)*/m, "").split("\n");
    return Math.max(...lines.map((line) => line.length));
  };
  expect(await widthAt("")).toBeGreaterThan(70);
  expect(await widthAt("")).toBeLessThanOrEqual(80);
  expect(await widthAt("40")).toBeLessThanOrEqual(40);
  expect(await widthAt("1000")).toBeGreaterThan(80);
});

test.each([
  ["--help foo", "siteward"],
  ["websites --help", "siteward websites"],
  ["help websites", "siteward websites"],
  ["websites help", "siteward websites"],
  ["websites get 7 --help", "siteward websites get"],
  ["help websites list", "siteward websites list"],
  ["websites help list", "siteward websites list"],
])("`siteward %s` prints the help of %s", async (words, command) => {
  const run = await runCli(words);
  expect(run).toEqual({ exitCode: 0, stdout: (await runCli(`${command.slice(9)} --help`)).stdout, stderr: "" });
  expect(run.stdout).toContain(`Usage: ${command} [`);
  expect(run.stdout).toContain("--output <format>");
});

test.each([
  ["help foo", "Unknown command 'foo'."],
  ["help websites lst --all", "Unknown command 'lst'. Did you mean list?"],
  ["websites help lst", "Unknown command 'lst'. Did you mean list?"],
  ["foo --help", "Unknown command 'foo'."],
  ["-o json foo -h", "Unknown command 'foo'."],
  ["websites lst --all --help", "Unknown command 'lst'. Did you mean list?"],
])("%s, the help of a command that does not exist, is refused", async (words, message) => {
  const run = await runCli(words);
  expect(run).toMatchObject({ exitCode: 2, stdout: "" });
  expect(errorOf(run).message).toBe(message);
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
