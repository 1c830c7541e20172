import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, inject, test } from "vitest";
import { runIn, tryIn } from "./support/run-in.ts";
import { startInstalledServer } from "./support/start-installed-server.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
/** Modules that run a program or a thread when they are loaded. */
const startsItself = /\/(bin|main|keyring-process|run-backup-thread|run-writer-thread)\.c?js$/;
const projectOf = (name: string) => join(inject("installed"), name);
const folderOf = (name: string) => join(projectOf(name), "node_modules/@siteward", name);

describe.for([
  ["contract", "es2024,dom", "esm-only"],
  ["sdk", "es2024", "esm-only"],
  ["rules", "es2024", "esm-only"],
] as const)("@siteward/%s", ([name, lib, profile]) => {
  const { exports } = JSON.parse(readFileSync(join(folderOf(name), "package.json"), "utf8"));
  const paths = Object.keys(exports).filter((path) => !path.endsWith(".json"));
  const entries = paths.map((path) => `@siteward/${name}${path.slice(1)}`);
  // An entry may have types alone.
  const loaded = entries.filter((_, index) => "default" in exports[paths[index] ?? ""]);

  test.for(["module", "commonjs"])("loads each entry in a program of the kind %s", (kind) => {
    const load = kind === "module" ? "await import" : "require";
    const script = loaded.map((entry) => `${load}("${entry}");`).join("\n");
    runIn(projectOf(name), {}, process.execPath, `--input-type=${kind}`, "--eval", script);
  });

  test.for([
    ["nodenext", "nodenext", "consumer.mts", "consumer.cts"],
    ["bundler", "esnext", "consumer.ts"],
  ])(
    "declares each entry for strict projects without types of Node, under %s",
    ([resolution = "", module = "", ...files]) => {
      const imports = entries.map((entry, index) => `export * as entry${index} from "${entry}";`);
      for (const file of files) writeFileSync(join(projectOf(name), file), imports.join("\n"));
      const platform = ["--types", "", "--lib", lib, "--module", module, "--moduleResolution", resolution];
      expect(compile(name, [...platform, ...files])).toEqual([]);
    },
  );

  test("has types for each way to import it, as attw judges", () => {
    const tarball = join(root, `tarballs/siteward-${name}.tgz`);
    runIn(projectOf(name), {}, "npx", "-y", "@arethetypeswrong/cli@0.18", tarball, "--profile", profile);
  });
});

test("a project with Jest and TypeScript uses the SDK as its README says", () => {
  const readme = readFileSync(join(root, "packages/sdk/README.md"), "utf8");
  const [, section = ""] = readme.split("### Jest and TypeScript");
  const block = (language: string) => section.split(`\`\`\`${language}\n`)[1]?.split("```")[0] ?? "";
  const [install = ""] = /npm install --save-dev [^`]+/.exec(section) ?? [];
  const project = join(inject("installed"), "jest");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), "{}");
  writeFileSync(join(project, "jest.config.js"), block("js"));
  writeFileSync(join(project, "tsconfig.json"), block("json"));
  const client = "new Siteward(createFakeSiteward().clientOptions)";
  const body = `test("creates", async () => expect(await ${client}.websites.create({ domain: "a.example" })).toMatchObject({ id: 1 }))`;
  const imports =
    'import { Siteward } from "@siteward/sdk";\nimport { createFakeSiteward } from "@siteward/sdk/testing";\n';
  writeFileSync(join(project, "sites.test.ts"), `${imports}${body};\n`);
  runIn(project, {}, "sh", "-c", `${install} ../siteward/tarballs/siteward-sdk.tgz`);
  expect(tryIn(project, {}, "npx", "jest")).toMatchObject({ status: 0, stderr: expect.stringContaining("1 passed") });
}, 120_000);

test.for([
  ["sdk", ["@ts-rest/core", "punycode", "zod"]],
  ["rules", ["punycode"]],
  ["server", ["punycode", "zod"]],
] as const)("@siteward/%s contains the license of what is bundled in it: %s", ([name, bundled]) => {
  const notices = readFileSync(join(folderOf(name), "dist/THIRD-PARTY-NOTICES.txt"), "utf8");
  for (const other of bundled) expect(notices).toMatch(new RegExp(`^${other} \\d.* \\(MIT\\)$`, "m"));
});

test.for([
  ["sdk", /^(?!)/],
  ["rules", /^isbot$/],
] as const)(
  "@siteward/%s runs on every platform: its files import nothing of Node or of another package but %s",
  ([name, allowed]) => {
    const files = globSync("dist/**", { cwd: folderOf(name) }).filter((file) => /(\.js|\.d\.ts)$/.test(file));
    const imported = files.flatMap((file) =>
      [
        ...readFileSync(join(folderOf(name), file), "utf8").matchAll(
          /^(?:import|export)\b.* from "([^".]+)"|\b(?:import|require)\("([^".]+)"\)/gm,
        ),
      ]
        .map(([, from, loaded]) => from ?? loaded ?? "")
        .filter((from) => !allowed.test(from)),
    );
    expect(files.length).toBeGreaterThan(1);
    expect(imported).toEqual([]);
  },
);

test.for([
  ["node", "es2024"],
  ["", "es2024,dom"],
  ["node", "es2024,dom"],
])(
  "the SDK takes the fetch and the signals of a platform, and its answers have its types: %s %s",
  ([types = "", lib = ""]) => {
    const program = `import { type Fetch, Siteward } from "@siteward/sdk";
    const fetches: readonly Fetch[] = [globalThis.fetch, (url, init) => fetch(url, { ...init })];
    const call = new Siteward({ apiKey: "swk_", fetch: fetches[0]! }).account.get({ signal: AbortSignal.timeout(1) });
    const { response } = await call.withResponse();
    export const headers: Headers = response.headers;`;
    writeFileSync(join(projectOf("sdk"), "platform.mts"), program);
    const typeRoots = join(root, "node_modules/@types");
    expect(compile("sdk", ["--types", types, "--typeRoots", typeRoots, "--lib", lib, "platform.mts"])).toEqual([]);
  },
);

test.for(["contract", "cli", "server", "edge"])(
  "@siteward/%s loads all of its modules without a dependency that it does not declare",
  (name) => {
    const modules = globSync("dist/**/*.{js,cjs}", { cwd: folderOf(name) }).filter((file) => !startsItself.test(file));
    expect(modules.length).toBeGreaterThan(1);
    const script = modules.map((file) => `await import("./node_modules/@siteward/${name}/${file}");`).join("\n");
    runIn(projectOf(name), {}, process.execPath, "--input-type=module", "--eval", script);
  },
);

test("the programs, the server and the OpenAPI document have the same version, and the CLI finds the server", async () => {
  await using server = await startInstalledServer();
  const { version } = JSON.parse(readFileSync(join(folderOf("server"), "package.json"), "utf8"));
  const run = (project: string, settings: Record<string, string>, program: string, ...words: string[]) =>
    runIn(projectOf(project), settings, `node_modules/.bin/${program}`, ...words).trim();
  expect(run("server", {}, "siteward", "--version")).toBe(version);
  expect(run("server", {}, "siteward-server", "--version")).toBe(version);
  expect(run("edge", {}, "siteward-edge", "--version")).toBe(version);
  expect(await (await fetch(`${server.url}/openapi.json`)).json()).toMatchObject({ info: { version } });
  const settings = { SITEWARD_API_KEY: server.apiKey, SITEWARD_BASE_URL: server.url };
  expect(run("cli", settings, "siteward", "websites", "list")).toBe("[]");
});

test("the OpenAPI document passes the strict rules of Redocly", () => {
  const settings = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const document = join(folderOf("contract"), "dist/openapi.json");
  runIn(
    projectOf("contract"),
    settings,
    "npx",
    "-y",
    "@redocly/cli@2",
    "lint",
    "--extends=recommended-strict",
    document,
  );
});

/** Compiles files of a project as a strict user does who checks declarations too, and returns the errors. */
function compile(name: string, words: readonly string[]): string[] {
  const strict = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--skipLibCheck", "false"];
  const target = ["--target", "es2024", "--module", "nodenext"];
  const tsc = join(root, "node_modules/.bin/tsc");
  const { stdout, stderr } = tryIn(projectOf(name), {}, tsc, ...strict, ...target, ...words);
  // ts-rest, which @siteward/contract exports a router of, declares types of zod 3 that zod 4 does not have.
  return `${stdout}${stderr}`.split("\n").filter((line) => line !== "" && !line.startsWith("node_modules/@ts-rest/"));
}
