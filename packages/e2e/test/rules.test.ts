import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { compileRules } from "@siteward/rules";
import { Siteward } from "@siteward/sdk";
import { createFakeSiteward } from "@siteward/sdk/testing";
import { expect, test } from "vitest";
import { compileExamples } from "./support/compile-examples.ts";
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

test("the examples in the comments of the rules compile", { timeout: 60_000 }, () => {
  const declarations = readFileSync(join(root, "packages/e2e/node_modules/@siteward/rules/dist/index.d.mts"), "utf8");
  const examples = [...declarations.matchAll(/^ *\* @example\n((?: *\* .*\n)+?) *\*\/\n(.*)/gm)];
  const prelude =
    'import { compileRules, InvalidSettingError, InvalidVisitError, type RuleSettings } from "@siteward/rules";\n' +
    "declare const [website, userAgent]: [RuleSettings, string];\n";
  const codes = examples.map(([, comment = "", declaration = ""]): [string, string] => [
    declaration.trim(),
    prelude + comment.replaceAll(/^ *\* /gm, ""),
  ]);
  expect(codes).toHaveLength(4);
  expect(compileExamples(new Map(codes))).toBe("");
});

test("a website of the SDK is compiled as it is", async () => {
  const { websites } = new Siteward(createFakeSiteward().clientOptions);
  const website = await websites.create({
    domain: "Bücher.example",
    exclude_params: "utm_*, gclid",
    exclude_ips: ["2001:DB8::9/32", "::ffff:203.0.113.9", "198.51.*.*"],
  });
  const rules = compileRules(website);
  const visit = {
    url: "https://www.bücher.example/?gclid=1&a=2",
    ip: "192.0.2.1",
    userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  };
  expect(rules.judge(visit)).toEqual({ counted: true, url: "https://www.bücher.example/?a=2" });
  expect(rules.judge({ ...visit, ip: "2001:db8:1::" })).toMatchObject({ reason: "ip", rule: "2001:db8::/32" });
  expect(rules.judge({ ...visit, ip: "203.0.113.9" })).toMatchObject({ reason: "ip", rule: "203.0.113.9" });
  expect(rules.judge({ ...visit, ip: "::ffff:198.51.7.7" })).toMatchObject({ reason: "ip", rule: "198.51.*.*" });
  expect(rules.judge({ ...visit, userAgent: "curl/8.5.0" })).toMatchObject({ reason: "bot" });
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
