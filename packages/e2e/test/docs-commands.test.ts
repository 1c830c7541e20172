import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serverBin } from "./support/built-server.ts";
import { repositoryRoot } from "./support/documented-pages.ts";
import { buildWorlds, type World, type Worlds } from "./support/line-worlds.ts";
import { commandLinesOf, readCommandLines } from "./support/read-command-lines.ts";
import { type Answer, runLine } from "./support/run-line.ts";

/** The lines that do not run here, by the reason. A line that is not among them runs. */
const notRun: Readonly<Record<string, RegExp>> = {
  "packages/e2e/test/from-a-clone.test.ts runs it in a fresh clone, and in a project next to it":
    /^npx -y -p node@24 -p pnpm@10 pnpm (start|tarballs)$|^npm install \.\.\/siteward\/tarballs\//,
  "packages/e2e/test/registry.test.ts installs from a registry, with npm and with npx":
    /^npm install (--global )?@siteward\/|^npx @siteward\/server /,
  "packages/e2e/test/docs.test.ts runs it with the Node of the tests": /^npx -y -p node@24 node -e .*backup/,
  "packages/e2e/test/sync-example.test.ts runs the program": / node examples\/sync\.ts /,
  "packages/bench/test/commands.test.ts tests the command, which takes minutes": /^pnpm bench\b/,
  "packages/torture/test/rows.test.ts tests the rows, which take minutes": /^(\w+=\S+ )?pnpm torture\b/,
  "apps/server/test/copy-between-engines.test.ts copies to a PostgreSQL of its own": /^siteward-server copy /,
  "apps/server/test/start.test.ts starts servers, and this one needs a PostgreSQL at db.example":
    /^DATABASE_URL=.* start --bootstrap$/,
  "it sets the PATH of a shell, and downloads Node and pnpm": /^export PATH=/,
  "it runs this test, or builds what this test runs": / pnpm (test|build)$|^pnpm (test|test websites|build)$/,
  "it runs until Ctrl-C, prompts, or changes the repository": /^pnpm (start|dev|tarballs|generate|changeset|format)$/,
  "it checks the repository for minutes, and CI runs it": /^pnpm (check|check:walls|test:runtimes)$/,
};

/** The lines that prompt, with the answers of a person. */
const answers: Readonly<Record<string, (world: World) => readonly Answer[]>> = {
  "siteward login": typeKey,
  "siteward login --profile work --base-url https://siteward.example.com": typeKey,
  "siteward apply": () => [["Apply these changes?", "y"]],
  "siteward apply --prune": () => [["Type 2 to apply the plan.", "2\r"]],
  "siteward websites delete example.com": () => [["Delete example.com", "y"]],
  "siteward websites delete 7 --if-match 1-7-3": () => [["Delete example.com", "y"]],
  "siteward-server accounts delete 2": () => [["Type the name of the account", "Globex\r"]],
};

/** The exit codes of the lines that do not end with 0. */
const exitCodes: Readonly<Record<string, number>> = {
  "siteward plan --detailed-exitcode --output json > plan.json": 2,
};

/** These create websites, so they run in an account without any. */
const creates = /websites create|POST websites|-d domain=/;

/** The page whose lines depend on each other: it is one script. */
const scriptPage = "docs/api.md";

const scriptLines = new Set(commandLinesOf(scriptPage));
const single = readCommandLines().filter((line) => !scriptLines.has(line));
const runnable = single.filter((line) => reasonsOf(line).length === 0);

let worlds: Worlds;

beforeAll(async () => {
  worlds = await buildWorlds();
});

afterAll(() => worlds[Symbol.dispose]());

describe.concurrent("every command line of a page or a help text works as pasted", () => {
  test.for(runnable)("%s", async (line) => {
    using world = worlds.copy(creates.test(line) ? "empty" : "filled");
    const { exitCode, output } = await runLine(line, world, answers[line]?.(world));
    expect(exitCode, output).toBe(exitCodes[line] ?? 0);
  });
});

test("the lines of docs/api.md work as pasted, top to bottom", async () => {
  using world = worlds.copy("empty");
  const text = readFileSync(join(repositoryRoot, scriptPage), "utf8");
  const script = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join("");
  const { exitCode, output } = await runLine(script, world);
  expect(exitCode, output).toBe(0);
  expect(output).toContain('"domain":"blog.example.com"');
  expect(output).toContain('"exclude_ips":["203.0.113.0/24"]');
  expect(output).toContain('"websites":{"count":0,"limit":null}');
  expect(output).toContain("Idempotency-Replayed: true");
  expect(output).toContain("HTTP/1.1 304 Not Modified");
  expect(output).toMatch(/HTTP\/1\.1 204 No Content[\s\S]*$/);
});

describe("the lines that do not run", () => {
  const named = single.filter((line) => !runnable.includes(line));

  test.for(named)("%s: has one reason", (line) => {
    expect(reasonsOf(line)).toHaveLength(1);
  });

  test("call commands that exist", () => {
    const calls = named.flatMap((line) => [...(/(?:^| )siteward-server ([a-z]+) /.exec(line)?.slice(1) ?? [])]);
    expect(calls).toContain("start");
    for (const command of calls) {
      const help = execFileSync(process.execPath, [serverBin, command, "--help"], { encoding: "utf8" });
      expect(help).toContain(`Usage: siteward-server ${command} `);
    }
  });
});

test("each rule of this file is about a line of a page, and each test that it names exists", () => {
  expect(Object.values(notRun).filter((pattern) => !single.some((line) => pattern.test(line)))).toEqual([]);
  expect([...Object.keys(answers), ...Object.keys(exitCodes)].filter((line) => !runnable.includes(line))).toEqual([]);
  const tests = Object.keys(notRun).flatMap((reason) => /^\S+\.test\.ts/.exec(reason) ?? []);
  expect(tests.filter((path) => !existsSync(join(repositoryRoot, path)))).toEqual([]);
});

/** Returns why a line does not run; nothing if it runs. */
function reasonsOf(line: string): readonly string[] {
  return Object.entries(notRun).flatMap(([reason, pattern]) => (pattern.test(line) ? [reason] : []));
}

function typeKey({ apiKey }: World): readonly Answer[] {
  return [["API key", `${apiKey}\r`]];
}
