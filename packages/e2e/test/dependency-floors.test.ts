import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { copyFile, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "./support/documented-pages.ts";

/** The lowest version of each package without known vulnerabilities. */
const floors = {
  zod: "4.5.0",
  qs: "6.16.0",
  "body-parser": "2.3.0",
  "path-to-regexp": "8.4.0",
  "proxy-addr": "2.0.8",
  express: "5.2.1",
  cookie: "0.7.0",
  send: "1.1.0",
  "serve-static": "2.1.0",
} as const satisfies Record<string, string>;

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(repositoryRoot, "package.json"), "utf8"),
);
const lockFile = readFileSync(new URL("../../../pnpm-lock.yaml", import.meta.url), "utf8");
const packagesSection = lockFile.slice(lockFile.indexOf("\npackages:"), lockFile.indexOf("\nsnapshots:"));

test.for(Object.entries(floors))("every locked %s has at least version %s", ([name, floor]) => {
  const pattern = new RegExp(`^  '?${name}@(\\d[^':(]*)`, "gm");
  const versions = [...packagesSection.matchAll(pattern)].map(([, version = ""]) => version);
  expect(versions).not.toEqual([]);
  expect(versions.filter((version) => compare(version, floor) < 0)).toEqual([]);
});

test.for(Object.entries({ node: "24.18.1", sqlite: "3.51.3" }))("the %s that runs is not below %s", ([name, floor]) => {
  expect(compare(process.versions[name] ?? "0", floor)).toBeGreaterThanOrEqual(0);
});

test("npm, which cannot install a clone, names a script of pnpm, which brings the Node that it needs", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-npm-"));
  await copyFile(join(repositoryRoot, "package.json"), join(folder.path, "package.json"));
  for (const words of [["install"], ["install", "leven"]]) {
    const { status, stderr } = spawnSync("npm", words, { cwd: folder.path, encoding: "utf8" });
    expect([status, stderr]).toEqual([1, expect.stringContaining("use pnpm instead of npm, as in npx -y pnpm@10 ")]);
    const [, script = ""] = /pnpm@10 (\w+)/.exec(stderr) ?? [];
    expect(scripts[script]).toMatch(/^node scripts\/on-node-24\.cjs /);
  }
});

function compare(left: string, right: string): number {
  return left.localeCompare(right, "en", { numeric: true });
}
