import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { repositoryRoot as root } from "./support/documented-pages.ts";
import { readExamples } from "./support/read-examples.ts";

test("the examples in the README of the rules print what their comments say", async () => {
  const program = readExamples(join(root, "packages/rules/README.md"));
  const said = [...program.matchAll(/(?:console\.log\(.*\);|^ *) \/\/ (.+)$/gm)].flatMap(
    ([, comment]) => comment ?? [],
  );
  expect(said).toHaveLength(8);
  expect(await run(program)).toEqual(said.map((line) => line.replaceAll('"', "'")));
});

/** Runs a TypeScript program in a project that has the built packages, and returns the lines that it printed. */
async function run(program: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "siteward-rules-readme-"));
  try {
    symlinkSync(join(root, "packages/e2e/node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "readme.mts"), program);
    const { stdout } = await promisify(execFile)(process.execPath, ["readme.mts"], { cwd: folder });
    return stdout.trimEnd().replaceAll('"', "'").split("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
