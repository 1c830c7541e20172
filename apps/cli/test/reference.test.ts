import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { describeCommands } from "../scripts/describe-commands.ts";
import { exitCodeRows, settings, variables } from "../scripts/reference-tables.ts";
import { renderReference } from "../scripts/render-reference.ts";

const cli = fileURLToPath(new URL("..", import.meta.url));

test("docs/cli-reference.md is up to date; if it is not, run `pnpm generate`", async () => {
  const text = readFileSync(new URL("../../../docs/cli-reference.md", import.meta.url), "utf8");
  expect(text).toBe(renderReference(await describeCommands()));
});

test("it names each variable of Siteward that the CLI reads", () => {
  const files = globSync("src/**/*.ts", { cwd: cli }).filter((path) => !path.includes(".test."));
  const text = files.map((path) => readFileSync(`${cli}/${path}`, "utf8")).join("\n");
  const named = new Set([...text.matchAll(/\b(SITEWARD_[A-Z_]*[A-Z])\b/g)].map(([, name]) => name));
  // The first passes words from PowerShell, the second is an example of a name that the user chooses.
  const others = ["SITEWARD_COMPLETION_WORDS", "SITEWARD_PASSWORD_SHOP_EXAMPLE_COM"];
  const documented: readonly (string | undefined)[] = [
    ...settings.map(({ variable }) => variable),
    ...Object.keys(variables),
    ...others,
  ];
  expect([...named].filter((name) => !documented.includes(name))).toEqual([]);
});

test("the README says the same about the exit codes", () => {
  const readme = readFileSync(`${cli}/README.md`, "utf8");
  const rows = [...readme.matchAll(/^\| (\d+) +\| (.*?) +\|$/gm)].map(([, code, meaning]) => [code, meaning]);
  for (const row of rows) expect(exitCodeRows).toContainEqual(row);
  expect(new Set(rows.map(([code]) => code))).toEqual(new Set(exitCodeRows.map(([code]) => code)));
});
