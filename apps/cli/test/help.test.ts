import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { commands } from "../src/commands/registry.ts";
import { runCli } from "./support/run-cli.ts";

describe("every command", () => {
  test.each(commands.map(({ words, summary }) => [words.join(" "), summary] as const))(
    "%s has help with examples of itself, on stdout",
    async (name, summary) => {
      const run = await runCli([...name.split(" "), "--help"]);
      expect(run).toMatchObject({ exitCode: 0, stderr: "" });
      expect(run.stdout).toContain(summary);
      expect(run.stdout).toMatch(new RegExp(`Examples:\n  siteward ${name}`));
      expect(run.stdout).toContain("--output <format>");
    },
  );
});

test("`help` before a command prints its --help", async () => {
  const help = await runCli(["help", "websites", "list"]);
  expect(help).toEqual(await runCli(["websites", "list", "--help"]));
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
