import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { compileRules } from "@siteward/rules";
import { lacksProgram } from "@siteward/testing/lacks-program";
import { afterAll, beforeAll, expect, test } from "vitest";
import { currentRuntimes } from "../support/current-runtimes.ts";
import { installRuntimes, type Runtimes } from "../support/install-runtimes.ts";
import { judgeVisits } from "../support/judge-visits.ts";
import { newcomerEnvironment } from "../support/newcomer-environment.ts";
import { launchBrowser } from "../support/open-api-page.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../../", import.meta.url));
const judgeFile = fileURLToPath(new URL("../support/judge-visits.ts", import.meta.url));
const expected = judgeVisits(compileRules);
const program =
  'import { compileRules } from "@siteward/rules";\n' +
  'import { judgeVisits } from "./judge-visits.ts";\n' +
  "globalThis.judged = JSON.stringify(judgeVisits(compileRules));\n" +
  "console.log(globalThis.judged);\n";

const resources = new AsyncDisposableStack();
let runtimes: Runtimes;
let folder = "";

beforeAll(async () => {
  runtimes = resources.use(installRuntimes(currentRuntimes));
  folder = await mkdtemp(join(tmpdir(), "siteward-rules-"));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  await installRules();
});
afterAll(() => resources.disposeAsync());

test("the visits that are judged have every outcome", () => {
  const outcomes = expected.map((outcome) => JSON.stringify(outcome));
  for (const part of ['"counted":true', '"host"', '"ip"', '"bot"', "url ", "ip "]) {
    expect(outcomes.some((outcome) => outcome.includes(part))).toBe(true);
  }
});

test.for(currentRuntimes)("rules on %s judge as on the others", async (name) => {
  const { stdout } = await run(...commandOf(name), { cwd: folder, env: newcomerEnvironment({}) });
  expect(JSON.parse(stdout)).toEqual(expected);
});

test.skipIf(lacksProgram("chromium"))("rules in a browser judge as on the others", async () => {
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  const isbot = join(folder, "node_modules/isbot/index.mjs");
  const rules = join(folder, "node_modules/@siteward/rules/dist/index.mjs");
  const imports = { isbot: "/isbot.mjs", "@siteward/rules": "/rules.mjs" };
  const files: Readonly<Record<string, string>> = {
    "/": `<script type="importmap">${JSON.stringify({ imports })}</script><script type="module" src="/judge.mjs"></script>`,
    "/isbot.mjs": await readFile(isbot, "utf8"),
    "/rules.mjs": await readFile(rules, "utf8"),
    "/judge-visits.ts": stripTypeScriptTypes(await readFile(judgeFile, "utf8")),
    "/judge.mjs": program,
  };
  await page.route("http://rules.test/**", (route) => {
    const path = new URL(route.request().url()).pathname;
    return route.fulfill({ contentType: path === "/" ? "text/html" : "text/javascript", body: files[path] ?? "" });
  });
  await page.goto("http://rules.test/");
  const judged = await page.waitForFunction("globalThis.judged");
  expect(JSON.parse(String(await judged.jsonValue()))).toEqual(expected);
});

function commandOf(name: string): [program: string, words: string[]] {
  const [runtime = "", ...flags] = runtimes.commandOf(name);
  const denoFlags = ["run", "--no-prompt", "--allow-read"];
  return [runtime, [...(name.startsWith("deno") ? denoFlags : flags), "judge.ts"]];
}

/** Packs the rules, and installs them as a user does, in a project that has nothing else. */
async function installRules(): Promise<void> {
  await run("pnpm", ["--filter", "@siteward/rules", "pack", "--pack-destination", folder], { cwd: root });
  const [tarball = ""] = await readdir(folder);
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const options = ["--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", ["install", ...options, join(folder, tarball)], { cwd: folder, env: newcomerEnvironment({}) });
  await copyFile(judgeFile, join(folder, "judge-visits.ts"));
  await writeFile(join(folder, "judge.ts"), program);
}
