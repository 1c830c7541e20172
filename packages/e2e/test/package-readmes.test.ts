import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Siteward } from "@siteward/sdk";
import { expect, test } from "vitest";
import { startBuiltServer } from "./support/built-server.ts";
import { repositoryRoot as root } from "./support/documented-pages.ts";
import { createProject, readExamples } from "./support/examples.ts";

test("the examples in the README of the SDK run on a server from top to bottom", async () => {
  await using server = await startBuiltServer({ SITEWARD_RATE_LIMIT: "600" });
  const { apiKey } = await server.createAccount();
  const program = readExamples(join(root, "packages/sdk/README.md"), "## Testing")
    .replace("swk_…", apiKey)
    .replace("https://siteward.example.com", server.url);

  const output = await run(program);

  const lines = output.split("\n");
  expect(lines.slice(0, 5)).toEqual(["1 website", "already tracked as website 1", "example.com", "1 of 1", "true"]);
  expect(lines.slice(5, 7)).toEqual(["true", "bücher.example"]);
  expect(lines.slice(7, 10)).toEqual(["true []", "true", "updated xn--bcher-kva.example 1 0"]);
  expect(lines[10]).toMatch(/^[\w.-]+ 3 .*Z false$/);
  expect(output).toContain(`GET ${server.url}/api/v1/websites/3 1\n`);
  expect(output).toMatch(/^200 [\d.]+ 5\d\d$/m);
  expect(output).toMatch(/total: 3,/);
  expect(output).not.toContain("Somebody else");
  const { websites } = new Siteward({ apiKey, baseUrl: server.url });
  expect(await websites.list({ sort: "asc" }).toArray({ limit: Infinity })).toEqual([
    expect.objectContaining({ domain: "blog.example.com" }),
    expect.objectContaining({ domain: "xn--bcher-kva.example", privacy: 1, email: 0 }),
  ]);
});

test("the tests in the README of the SDK run as they are, with Vitest and with Node's own runner", async () => {
  const section = readFileSync(join(root, "packages/sdk/README.md"), "utf8").split("\n## Testing\n")[1] ?? "";
  const examples = [...section.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
  const [withNode, withVitest] = [true, false].map((isNode) =>
    examples.filter((code) => /^it\(/m.test(code) === isNode).join("\n"),
  );
  const client = 'import { Siteward } from "@siteward/sdk";\n';
  const fake = 'import { createFakeSiteward } from "@siteward/sdk/testing";\n';
  expect(await run(client + withVitest, "node_modules/vitest/vitest.mjs", "run")).toContain("2 passed");
  expect(await run(client + fake + withNode, "--test", "--test-reporter=tap")).toContain("# pass 2");
});

test("the examples in the README of the rules print what their comments say", async () => {
  const program = readExamples(join(root, "packages/rules/README.md"));
  const said = [...program.matchAll(/(?:console\.log\(.*\);|^ *) \/\/ (.+)$/gm)].flatMap(
    ([, comment]) => comment ?? [],
  );
  expect(said).toHaveLength(8);
  const printed = (await run(program)).trimEnd().replaceAll('"', "'").split("\n");
  expect(printed).toEqual(said.map((line) => line.replaceAll('"', "'")));
});

/** Runs a TypeScript program in a project that has the built packages. It must report no error. Returns what it printed. */
async function run(program: string, ...words: readonly string[]): Promise<string> {
  using project = createProject({ "readme.test.mts": program });
  const options = { cwd: project.path, env: { ...process.env, NO_COLOR: "1" } };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...words, "readme.test.mts"], options);
  expect(stderr).toBe("");
  return stdout;
}
