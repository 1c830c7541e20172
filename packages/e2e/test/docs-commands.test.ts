import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { lacksProgram } from "@siteward/testing/lacks-program";
import { startServer, type TargetServer } from "@siteward/torture/target-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serverBin } from "./support/built-server.ts";
import { callFaults } from "./support/call-faults.ts";
import { repositoryRoot } from "./support/documented-pages.ts";
import { buildWorlds, type World, type Worlds } from "./support/line-worlds.ts";
import { notRun } from "./support/lines-not-run.ts";
import { type CommandLine, commandLinesOf, readCommandLines } from "./support/read-command-lines.ts";
import { readPrograms } from "./support/read-programs.ts";
import { type Answer, runLine, runLineAt } from "./support/run-line.ts";
import { splitLines } from "./support/split-lines.ts";

/** What a sentence writes in place of a word, and such a word. */
const placeholders: Readonly<Record<string, string>> = {
  "<command>": "export",
  "<row>": "kill-nine",
  "<part>": "sdk",
  "<id>": "7",
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

/** These change websites over the API, so each has a server of its own. The others share one. */
const changes = new RegExp(`${creates.source}|websites (?:update|delete)|siteward (?:import|apply)|PUT websites`);

/** The page whose lines depend on each other: it is one script. */
const scriptPage = "docs/api.md";

const programs = await readPrograms();
const all = readCommandLines(programs);
const scriptLines = new Set(commandLinesOf(scriptPage));
const single = all.filter(({ text, isOwnLine }) => isOwnLine && !scriptLines.has(text));
const lacksJq = lacksProgram("jq");
const runnable = single.filter(({ text }) => reasonsOf(text).length === 0);

let worlds: Worlds;
let shared: TargetServer;
let websitesBefore: string;
/** What is wrong with the words of each line. Such a line does not run: it may install a package, or measure for minutes. */
let faults: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  worlds = await buildWorlds();
  const found = faultsOf(all);
  faults = new Map(all.map(({ text }, index) => [text, found[index] ?? []]));
  shared = await startServer(serverBin, worlds.copy("filled").databaseUrl);
  websitesBefore = await readWebsites();
});

afterAll(async () => {
  await shared.stop();
  worlds[Symbol.dispose]();
});

describe.concurrent("every command line of a page or a help text works as pasted", () => {
  test.for(runnable.map((line) => [line.text, line] as const))("%s", async ([text, { hasKey }], { skip }) => {
    expect(faults.get(text)).toEqual([]);
    skip(/\bjq /.test(text) && lacksJq, "this machine has no jq");
    using world = worlds.copy(creates.test(text) ? "empty" : "filled", hasKey);
    const run = changes.test(text) ? runLine : runLineAt.bind(undefined, shared.url);
    const { exitCode, output } = await run(text, world, answers[text]?.(world));
    expect(exitCode, hasKey ? output : `${output}\nNothing above the line on its page gives a key.`).toBe(
      exitCodes[text] ?? 0,
    );
    if (/\bjq /.test(text)) expect(output).not.toMatch(/^null$/m);
  });
});

test("the lines that share a server change no website", async () => {
  expect(await readWebsites()).toBe(websitesBefore);
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

describe("every command line, and every command that a sentence or a message names,", () => {
  test("calls commands, flags, scripts and packages that exist", () => {
    expect([...faults].filter(([, found]) => found.length > 0)).toEqual([]);
  });

  test.for([
    ["npm install --global @siteward/clii", /no package or tarball/],
    ["npm install --global @siteward/cli --bogus", /no flag --bogus/],
    ["npm install --global ./tarballs/siteward-clii.tgz", /no package or tarball/],
    ["npx @siteward/server strat --bootstrap", /The command strat does not exist/],
    ["npx @siteward/server start --bootstrp", /--bootstrp/],
    ["siteward-server copy --form file:a.db --to file:b.db", /--form/],
    ["siteward-server keys", /The command is missing/],
    ["pnpm torture --ronds 10x", /--ronds/],
    ["pnpm torture kill-eight", /kill-eight/],
    ["pnpm bench sdkk", /sdkk/],
    ["pnpm bench sdk --only gett", /--only must be/],
    ["pnpm biuld", /The script biuld/],
    ["pnpm build --bogus", /no word --bogus/],
    ["siteward import - --format cvs < websites.csv", /--format does not accept cvs/],
    ["siteward websites get", /0 arguments/],
    ["id=$(siteward websites gett 7 | jq .id)", /The command gett/],
  ] as const)("is not called right if it is %s", ([text, fault]) => {
    expect(faultsOf([{ text, isOwnLine: true }]).join()).toMatch(fault);
  });
});

test("each rule is about a line of a page, once, and each test that it names exists", () => {
  const named = Object.values(notRun).flat();
  expect(named.filter((text) => !single.some((line) => line.text === text))).toEqual([]);
  expect(named.filter((text) => reasonsOf(text).length > 1)).toEqual([]);
  const runs = ([text]: readonly [string, unknown]) => runnable.some((line) => line.text === text);
  expect([...Object.entries(answers), ...Object.entries(exitCodes)].filter((rule) => !runs(rule))).toEqual([]);
  const tests = Object.keys(notRun).flatMap((reason) => /^\S+\.test\.ts/.exec(reason) ?? []);
  expect(tests.filter((path) => !existsSync(join(repositoryRoot, path)))).toEqual([]);
});

/** Returns why a line does not run; nothing if it runs. */
function reasonsOf(text: string): readonly string[] {
  return Object.entries(notRun).flatMap(([reason, lines]) => (lines.includes(text) ? [reason] : []));
}

/** Returns for each line what is wrong with its words. Nothing runs. */
function faultsOf(lines: readonly Pick<CommandLine, "text" | "isOwnLine">[]): readonly (readonly string[])[] {
  using world = worlds.copy("filled");
  const texts = lines.map(({ text }) => text.replaceAll(/<\w+>/g, (word) => placeholders[word] ?? word));
  return splitLines(texts, world.folder).map((calls, index) => {
    if (calls.length === 0) return ["The shell finds no call in it."];
    return calls.flatMap((call) => callFaults(programs, call, lines[index]?.isOwnLine === true));
  });
}

async function readWebsites(): Promise<string> {
  using world = worlds.copy("empty");
  const { output } = await runLineAt(shared.url, "siteward websites list --all --output json", world);
  return output;
}

function typeKey({ apiKey }: World): readonly Answer[] {
  return [["API key", `${apiKey}\r`]];
}
