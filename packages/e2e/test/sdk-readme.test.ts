import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Siteward } from "@siteward/sdk";
import { expect, test } from "vitest";
import { startBuiltServer } from "./support/built-server.ts";
import { readExamples } from "./support/read-examples.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

// The tests in its section about testing run in packages/sdk/test/testing/readme.test.ts.
test("the examples in the README of the SDK run on a server from top to bottom", { timeout: 60_000 }, async () => {
  await using server = await startBuiltServer({ SITEWARD_RATE_LIMIT: "600" });
  const { apiKey } = await server.createAccount();
  const program = readExamples(join(root, "packages/sdk/README.md"), "## Testing")
    .replace("swk_…", apiKey)
    .replace("https://siteward.example.com", server.url);

  const { output, errors } = await run(program);

  expect(errors).toBe("");
  const lines = output.split("\n");
  expect(lines.slice(0, 5)).toEqual(["1 website", "already tracked as website 1", "example.com", "1 of 1", "true"]);
  expect(lines.slice(5, 7)).toEqual(["true", "bücher.example"]);
  expect(lines.slice(7, 9)).toEqual(["true []", "updated xn--bcher-kva.example 1 0"]);
  expect(lines[9]).toMatch(/^example\.com 3 .*Z false$/);
  expect(output).toContain(`GET ${server.url}/api/v1/websites/3 1\n`);
  expect(output).toMatch(/^200 [\d.]+ 5\d\d$/m);
  expect(output).toContain(`GET ${server.url}/api/v1/websites/3 ended`);
  expect(output).toMatch(/total: 3,/);
  expect(output).not.toContain("Somebody else");
  const { websites } = new Siteward({ apiKey, baseUrl: server.url });
  expect(await websites.list({ sort: "asc" }).toArray({ limit: Infinity })).toEqual([
    expect.objectContaining({ domain: "blog.example.com" }),
    expect.objectContaining({ domain: "xn--bcher-kva.example", privacy: 1, email: 0 }),
  ]);
});

/** Runs a TypeScript program in a project that has the built packages. */
async function run(program: string): Promise<{ readonly output: string; readonly errors: string }> {
  const folder = mkdtempSync(join(tmpdir(), "siteward-readme-"));
  try {
    symlinkSync(join(root, "packages/e2e/node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "readme.mts"), program);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ["readme.mts"], { cwd: folder });
    return { output: stdout, errors: stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
