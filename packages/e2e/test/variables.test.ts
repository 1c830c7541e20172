import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { serverBin } from "./support/built-server.ts";

const readPage = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

test("the server ignores the variables that docs/cli-reference.md names", () => {
  const names = [...new Set(readPage("docs/cli-reference.md").match(/\bSITEWARD_\w*[A-Z]\b/g))];
  expect(names).toContain("SITEWARD_ALLOW_HTTP");
  const env = Object.fromEntries(names.map((name) => [name, "1"]));
  const run = spawnSync(process.execPath, [serverBin, "migrate", "--dry-run"], {
    cwd: tmpdir(),
    env,
    encoding: "utf8",
  });
  expect(run).toMatchObject({ status: 0, stderr: "" });
});
