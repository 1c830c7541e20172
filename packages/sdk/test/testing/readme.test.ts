import { execFile } from "node:child_process";
import { cp, mkdtempDisposable, readFile, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
/** The folder of the package, with its build in `dist`. */
const packageRoot = dirname(dirname(import.meta.dirname));
const vitestRoot = dirname(createRequire(import.meta.url).resolve("vitest/package.json"));

test("the tests in the README run as they are, with Vitest and with Node's own runner", {
  timeout: 60_000,
}, async () => {
  const examples = await readExamples();
  const [nodeExamples, vitestExamples] = [true, false].map((isNode) =>
    examples.filter((code) => /^it\(/m.test(code) === isNode).join("\n"),
  );
  await using project = await mkdtempDisposable(join(tmpdir(), "siteward-sdk-"));
  const installed = join(project.path, "node_modules/@siteward/sdk");
  await cp(join(packageRoot, "dist"), join(installed, "dist"), { recursive: true });
  await cp(join(packageRoot, "package.json"), join(installed, "package.json"));
  await symlink(vitestRoot, join(project.path, "node_modules/vitest"));
  const client = 'import { Siteward } from "@siteward/sdk";\n';
  const fake = 'import { createFakeSiteward } from "@siteward/sdk/testing";\n';
  await writeFile(join(project.path, "vitest.test.mts"), client + vitestExamples);
  await writeFile(join(project.path, "node.test.mts"), client + fake + nodeExamples);
  const inProject = { cwd: project.path, env: { ...process.env, NO_COLOR: "1" } };
  const [withVitest, withNode] = await Promise.all([
    run(process.execPath, [join(vitestRoot, "vitest.mjs"), "run", "vitest.test.mts"], inProject),
    run(process.execPath, ["--test", "--test-reporter=tap", "node.test.mts"], inProject),
  ]);
  expect(withVitest.stdout).toContain("2 passed");
  expect(withNode.stdout).toContain("# pass 2");
});

/** Returns the examples of the section about testing. */
async function readExamples(): Promise<string[]> {
  const readme = await readFile(join(packageRoot, "README.md"), "utf8");
  const [, section = ""] = readme.split("\n## Testing\n");
  return [...section.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
}
