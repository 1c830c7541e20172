import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { errorCodes, isPublished } from "@siteward/contract";
import { routes } from "@siteward/contract/plain";
import * as sdk from "@siteward/sdk";
import { readResidentBytes } from "@siteward/testing/process-tree";
import { cliBin, serverBin } from "@siteward/testing/servers/built-programs";
import { startProcess } from "@siteward/testing/start-process";
import { describe, expect, test } from "vitest";
import { startBuiltServer } from "./support/built-server.ts";
import { documentedPages as pages, repositoryRoot as root } from "./support/documented-pages.ts";
import { compileExamples, readExamples } from "./support/examples.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const help = (...words: readonly string[]) =>
  execFileSync(process.execPath, [...words, "--help"], { encoding: "utf8" });
const cliHelp = help(cliBin);

/** The published packages whose comments have examples. */
const entries = ["sdk", "sdk/bulk", "sdk/fields", "sdk/mirror", "sdk/testing", "rules"].map(
  (name) => `@siteward/${name}`,
);

describe("the pages", () => {
  test("every link within the repository, also by its address on GitHub, leads to a file, and to a heading of it", () => {
    const published = globSync(["packages/contract/dist/openapi.json", "packages/*/dist/*.d.ts"], { cwd: root });
    const anyLink = /(\]\((?!https?:)|github\.com\/siteward\/siteward\/blob\/main\/)([\w./-]*)#?([\w-]*)/g;
    const links = [...pages, ...published].flatMap((path) =>
      [...read(path).matchAll(anyLink)].map(([link, start = "", file = "", anchor = ""]) => ({
        link: `${path}: ${link}`,
        file: file === "" ? path : join(start.startsWith("]") ? dirname(path) : "", file),
        anchor,
      })),
    );
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter(isBroken)).toEqual([]);
  });

  const { scripts } = JSON.parse(read("package.json"));
  const known = [...Object.keys(scripts), "install", "add", "exec", "dlx"];

  test.for<[string, RegExp, (name: string) => boolean]>([
    [
      "path",
      /`((?:apps|packages|docs|examples|scripts|deploy|\.ci)\/[\w./-]+)`/g,
      (path) => existsSync(join(root, path)),
    ],
    ["pnpm script", /\bpnpm(?:@10)? (?:--silent )?([a-z][\w:-]*)/g, (name) => known.includes(name)],
  ])("every %s that they name exists", ([, pattern, exists]) => {
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(pattern)].map(([, name = ""]) => [page, name] as const),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(([, name]) => !exists(name))).toEqual([]);
  });

  // Anybody could publish a package of that name, and would get the API keys of its readers.
  test("no text tells anyone to install or run a package by its name that nobody has published", () => {
    const published = globSync(["packages/contract/dist/openapi.json", "examples/**/*.yml", "deploy/*"], { cwd: root });
    const texts = [cliHelp, help(serverBin), ...[...pages, ...published].map(read)];
    const lines = texts.flatMap(
      (text) => text.match(/\b(npm (i|install|exec)|npx|p?npx|pnpm (add|dlx)|yarn add|bunx?( add)?)\b[^\n`]*/g) ?? [],
    );
    expect(lines.length).toBeGreaterThan(20);
    const named = /(?<![\w/.-])@siteward\/\w|npx (-y |-p \S+ )*siteward\b|(install|add) (-\S+ )*siteward\b/;
    expect(isPublished ? [] : lines.filter((line) => named.test(line))).toEqual([]);
  });

  // Those of `check:` are parts of `pnpm check`.
  test("every pnpm script begins with what finds a Node that is new enough", () => {
    const names = Object.keys(scripts).filter((name) => !name.startsWith("check:"));
    expect(names.filter((name) => !scripts[name].startsWith("node scripts/on-node-24.cjs "))).toEqual([]);
  });
});

test("the TypeScript examples compile under the strictest flags: on each page, and in the comments that an editor shows", async () => {
  const onPages = pages.map((page) => [page, readExamples(join(root, page))] as const);
  const examples = new Map(onPages.filter(([, code]) => code !== ""));
  expect([...examples.keys()]).toContain("packages/sdk/README.md");
  const modules = await Promise.all(entries.map(async (name) => [name, Object.keys(await import(name))] as const));
  const prelude = [
    ...modules.map(([name, values]) => `import { ${values.join(", ")} } from "${name}";`),
    'import type { Website } from "@siteward/sdk";',
    'import type { FakeSiteward } from "@siteward/sdk/testing";',
    'import type { RuleSettings } from "@siteward/rules";',
    "declare const [siteward, fake, error]: [Siteward, FakeSiteward, unknown];",
    "declare const [website, apiKey, domain, userAgent]: [RuleSettings, string, string, string];",
    "export async function example(): Promise<unknown> {\n",
  ].join("\n");
  let comments = 0;
  for (const name of ["@siteward/sdk", "@siteward/rules"]) {
    for (const [, code = ""] of declarationsOf(name).matchAll(/\* @example\n((?: *\*(?! @|\/).*\n)+)/g)) {
      comments += 1;
      examples.set(
        `comment ${comments} of ${name}`,
        `${prelude}${code.replaceAll(/^ *\* ?/gm, "")}\nreturn undefined; }`,
      );
    }
  }
  expect(comments).toBeGreaterThan(40);
  expect(compileExamples(examples)).toBe("");
});

test("the lines work as pasted, from top to bottom: those of docs/api.md", async () => {
  const output = await runLines([...read("docs/api.md").matchAll(/```sh\n([\s\S]*?)```/g)]);
  expect(output).toContain('"domain":"blog.example.com"');
  expect(output).toMatch(/"email":1[\s\S]*"email":0/);
  expect(output).toContain('"websites":{"count":0,"limit":null}');
  expect(output).toContain("Idempotency-Replayed: true");
  expect(output).toContain("HTTP/1.1 304 Not Modified");
  expect(output).toMatch(/HTTP\/1\.1 204 No Content[\s\S]*$/);
});

test("the lines work as pasted, from top to bottom: those of README.md, from a server that runs on", async () => {
  const blocks = [...read("README.md").matchAll(/```sh\n([\s\S]*?)```/g)];
  // The first line of each of these builds the repository.
  const used = blocks.filter(([, block = ""]) => !/^npx .* (start|tarballs)$/m.test(block));
  expect(used.length).toBe(blocks.length - 2);
  const output = await runLines(used);
  expect(output).toContain('"domain":"shop.example.com"');
  expect(output).toMatch(/swk_\w{20}/);
  expect(output).toContain("docs.example.org");
  expect(output).toMatch(/^\d blog\.example\.org\n\d docs\.example\.org\n\d shop\.example\.com\n/m);
});

describe("the tables are complete:", () => {
  test("docs/operating.md has exactly the settings, with their flags and defaults", () => {
    const known = [
      ...help(serverBin, "start")
        .replaceAll(/\s+/g, " ")
        .matchAll(/--([\w-]+) <value> .*?\(([A-Z_]+)(?:; ([^)]*))?\)/g),
    ];
    const rows = read("docs/operating.md").matchAll(/^\| `([A-Z_]+)` \| `(--[\w-]+)` \| `?([^`|]+?)`? \|/gm);
    expect(known.length).toBeGreaterThan(5);
    expect([...rows].map(([, ...cells]) => cells)).toEqual(
      known.map(([, flag, name, value]) => [name, `--${flag}`, value ?? "empty"]),
    );
  });

  test("docs/api.md has exactly the error codes, with their statuses", () => {
    const rows = read("docs/api.md").matchAll(/^\| `(\w+)` \| (\d{3}) \|/gm);
    const known = Object.entries(errorCodes).map(([code, { status }]) => [code, String(status)]);
    expect([...rows].map(([, ...cells]) => cells)).toEqual(known);
  });

  test("docs/scaling.md has exactly the parameters of a PostgreSQL URL", () => {
    const words = ["migrate", "--database-url", "postgres://127.0.0.1/siteward?unheard_of=1"];
    const { stderr } = spawnSync(process.execPath, [serverBin, ...words], { encoding: "utf8" });
    const known = /Use one of ([\w, ]+)\./.exec(stderr)?.[1]?.split(", ");
    const rows = [...read("docs/scaling.md").matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].map(([, cell = ""]) => cell);
    expect(rows.flatMap((cell) => cell.match(/\w+/g) ?? []).toSorted()).toEqual(known);
  });

  test("the README of the CLI has each exit code, and names each variable that the CLI reads", () => {
    const readme = read("apps/cli/README.md");
    const codes = [...(/Exit codes: ([\s\S]*?)\n\n/.exec(cliHelp)?.[1] ?? "").matchAll(/(?:^|, )\s*(\d+) /g)];
    expect(codes.length).toBeGreaterThan(8);
    const rows = [...readme.matchAll(/^\| (\d+) +\|/gm)];
    expect(rows.map(([, code]) => code)).toEqual(codes.map(([, code]) => code));
    const sources = globSync("apps/cli/src/**/*.ts", { cwd: root }).filter((path) => !path.includes(".test."));
    const variables = new Set(sources.flatMap((path) => read(path).match(/\bSITEWARD_[A-Z_]*[A-Z]\b/g) ?? []));
    // The first passes words from PowerShell, the second is an example of a name that the user chooses.
    const others = ["SITEWARD_COMPLETION_WORDS", "SITEWARD_PASSWORD_SHOP_EXAMPLE_COM"];
    expect([...variables].filter((name) => !readme.includes(name) && !others.includes(name))).toEqual([]);
  });

  test("the README of the SDK has each call with its scope, each class of errors, and each option", () => {
    const readme = read("packages/sdk/README.md");
    const calls = [...readme.matchAll(/^\| `(\w+\.\w+)\(.*\| `([\w:]+)` +\|$/gm)].map(([, ...cells]) =>
      cells.join(" "),
    );
    const scopes = Object.entries(routes).flatMap(([resource, operations]) =>
      Object.entries(operations).map(([name, { scope }]) => `${resource}.${name} ${scope}`),
    );
    const errors = Object.keys(sdk).filter((name) => /^[A-Z]\w+Error$/.test(name) && name !== "SitewardError");
    const options = ["SitewardOptions", "WatchOptions"].flatMap((name) => membersOf("@siteward/sdk", name));
    const ofMirror = membersOf("@siteward/sdk/mirror", "MirrorOptions");
    expect(options.length + ofMirror.length).toBeGreaterThan(15);
    expect(scopes.filter((call) => !calls.includes(call))).toEqual([]);
    const named = [...errors, ...options, ...ofMirror];
    expect(named.filter((name) => !readme.includes(`\n| \`${name}\` `))).toEqual([]);
  });

  test.runIf(process.platform === "linux")(
    "the server needs less memory at rest than docs/capacity.md plans",
    async () => {
      await using server = await startBuiltServer();
      expect(readResidentBytes(server.processId)).toBeLessThan(125_000_000);
    },
  );
});

/** Whether a file does not exist, or has no such heading: GitHub makes an anchor of each. */
function isBroken({ file, anchor }: { readonly file: string; readonly anchor: string }): boolean {
  if (!existsSync(join(root, file))) return true;
  const headings = anchor === "" ? [] : [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  const anchors = headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(" ", "-"),
  );
  return anchor !== "" && !anchors.includes(anchor);
}

/** Returns the declarations of a built package, whose entries share files. */
function declarationsOf(entry: string): string {
  const cwd = dirname(fileURLToPath(import.meta.resolve(entry)));
  return globSync("*.d.ts", { cwd })
    .map((file) => readFileSync(join(cwd, file), "utf8"))
    .join("\n");
}

function membersOf(entry: string, type: string): string[] {
  const [, body = ""] = new RegExp(`interface ${type}[^{]*\\{\\n([\\s\\S]*?)\\n\\}`).exec(declarationsOf(entry)) ?? [];
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, name = ""]) => name);
}

/**
 * Runs blocks of lines as one script in the repository, next to a server with an account, and to a project that has the built
 * packages. Returns what they print.
 */
async function runLines(blocks: readonly RegExpMatchArray[]): Promise<string> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-docs-"));
  await using server = await startBuiltServer({ SITEWARD_RATE_LIMIT: "600" });
  const { apiKey } = await server.createAccount();
  const project = join(folder.path, "my-websites");
  mkdirSync(join(project, "node_modules/.bin"), { recursive: true });
  symlinkSync(join(root, "packages/e2e/node_modules/@siteward"), join(project, "node_modules/@siteward"));
  symlinkSync(cliBin, join(project, "node_modules/.bin/siteward"));
  const script = blocks
    .map(([, block = ""]) => block)
    .join("")
    .replaceAll("npx -y pnpm@10", "pnpm")
    .replaceAll("http://127.0.0.1:3000", server.url)
    .replaceAll("../my-websites", project)
    .replaceAll("./data", folder.path)
    .replaceAll("swk_…", apiKey);
  const urls = { SITEWARD_BASE_URL: server.url, DATABASE_URL: server.databaseUrl };
  const env = { ...process.env, ...urls, SITEWARD_API_KEY: apiKey };
  const command = ["bash", "-e", "-o", "pipefail", "-c", script];
  const { exitCode, stdout, stderr } = await startProcess(command, { cwd: root, env, stdin: "" }).ended;
  expect(exitCode, `${stdout}\n${stderr}`).toBe(0);
  return stdout;
}
