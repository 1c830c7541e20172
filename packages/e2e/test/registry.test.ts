import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalRegistry, startLocalRegistry } from "./support/local-registry.ts";
import { type PublishedCopy, publishCopy, publishedFolders } from "./support/publish-copy.ts";
import { runIn, tryIn } from "./support/run-in.ts";
import { type StartedServer, startWithNpx } from "./support/start-with-npx.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
/** Modules that run a program or a thread when they are loaded. */
const startsItself = /\/(bin|main|run-backup-thread|run-writer-thread)\.c?js$/;
const names = ["@siteward/contract", "@siteward/sdk", "@siteward/rules", "@siteward/cli", "@siteward/server"];

let scratch: string;
let registry: LocalRegistry;
let copy: PublishedCopy;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), "siteward-published-"));
  registry = await startLocalRegistry();
  copy = publishCopy(registry, scratch);
}, 180_000);

afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  rmSync(scratch, { recursive: true, force: true });
});

describe("pnpm version-packages", () => {
  test("gives all packages the same new version", () => {
    const versions = new Set(Object.values(copy.versions));
    expect(versions.size).toBe(1);
    expect([...versions][0]).toMatch(/^\d+\.[1-9]\d*\.0$/);
  });

  test.for(publishedFolders)("writes a changelog with only headings of versions and kinds: %s", (folder) => {
    const changelog = readFileSync(join(copy.folder, folder, "CHANGELOG.md"), "utf8");
    const headings = changelog.split("\n").filter((line) => /^\s*#/.test(line));
    expect(
      headings.slice(1).filter((line) => !/^(## \d+\.\d+\.\d+|### (Major|Minor|Patch) Changes)$/.test(line)),
    ).toEqual([]);
    if (folder === "packages/sdk") expect(changelog).toContain("\n- One more call.\n");
  });

  test("leaves a formatted tree with generated files that are up to date", () => {
    const changed = runIn(copy.folder, {}, "git", "diff", "--name-only", "--diff-filter=d", "HEAD~1")
      .trim()
      .split("\n");
    runIn(copy.folder, {}, "node_modules/.bin/biome", "format", "--no-errors-on-unmatched", ...changed);
    runIn(copy.folder, {}, process.execPath, "packages/contract/scripts/generate.ts");
    expect(runIn(copy.folder, {}, "git", "status", "--porcelain")).toBe("");
  });
});

describe("pnpm release", () => {
  test("refuses changesets that are in no version", () => {
    expect(copy.early.status).toBe(1);
    expect(copy.early.stderr).toContain("changesets are in no version yet. Run `pnpm version-packages`");
  });

  test("fails if a package was not published, and publishes only that one the next time", () => {
    expect(copy.interrupted.status).toBe(1);
    expect(copy.interrupted.stdout).toContain("@siteward/sdk");
    expect(copy.missing).toEqual([expect.stringMatching(/^siteward-server-.*\.tgz$/)]);
  });
});

describe("the published packages, installed with npm into an empty folder", () => {
  let folder: string;
  let server: StartedServer;

  beforeAll(async () => {
    folder = emptyProject("npm");
    runIn(folder, {}, "npm", "install", ...names);
    server = await startWithNpx(folder);
  }, 120_000);

  afterAll(() => server[Symbol.asyncDispose]());

  test.for([
    ["module", 'import { Siteward } from "@siteward/sdk";'],
    ["commonjs", 'const { Siteward } = require("@siteward/sdk");'],
  ])("the SDK creates a website from an ES module and from CommonJS: %s", ([type = "", load]) => {
    const domain = `${type}.example.com`;
    const script = `${load}
      const siteward = new Siteward(${JSON.stringify({ apiKey: server.apiKey, baseUrl: server.url })});
      siteward.websites.create({ domain: "${domain}" }).then((website) => console.log(website.domain));`;
    expect(runIn(folder, {}, process.execPath, `--input-type=${type}`, "--eval", script).trim()).toBe(domain);
  });

  test("`npx @siteward/cli` lists what the SDK created", () => {
    const settings = { SITEWARD_API_KEY: server.apiKey, SITEWARD_BASE_URL: server.url };
    const listed: unknown = JSON.parse(runIn(folder, settings, "npx", "@siteward/cli", "websites", "list"));
    expect(listed).toMatchObject([{ domain: "commonjs.example.com" }, { domain: "module.example.com" }]);
  });

  test("the programs, the SDK and the OpenAPI document have the version of the release", async () => {
    const printUserAgent = `
      import { Siteward } from "@siteward/sdk";
      const fetch = async (_url, { headers }) => {
        console.log(new Headers(headers).get("user-agent"));
        return Response.json({ data: {} });
      };
      await new Siteward({ apiKey: "swk_test", fetch }).account.get();`;
    const userAgent = runIn(folder, {}, process.execPath, "--input-type=module", "--eval", printUserAgent);
    const version = copy.versions["packages/contract"];
    expect(userAgent.split(" ")[0]?.trim()).toBe(`siteward-sdk/${version}`);
    expect(runIn(folder, {}, "npx", "@siteward/cli", "--version").trim()).toBe(version);
    expect(runIn(folder, {}, "npx", "@siteward/server", "--version").trim()).toBe(version);
    expect(await (await fetch(`${server.url}/openapi.json`)).json()).toMatchObject({ info: { version } });
  });

  test.for(["module", "commonjs"])("every entry loads in a program of the kind %s", (kind) => {
    const load = kind === "module" ? "await import" : "require";
    const script = listEntries(folder).map((entry) => `${load}("${entry}");`);
    runIn(folder, {}, process.execPath, `--input-type=${kind}`, "--eval", script.join("\n"));
  });

  test.for([
    ["nodenext", "nodenext", "consumer.mts", "consumer.cts"],
    ["bundler", "esnext", "consumer.ts"],
  ])("every entry compiles in a strict project that checks declarations, under %s", (project) => {
    const [resolution = "", module = "", ...files] = project;
    const imports = listEntries(folder).map((entry, index) => `export * as entry${index} from "${entry}";`);
    for (const file of files) writeFileSync(join(folder, file), imports.join("\n"));
    const strict = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--skipLibCheck", "false", "--types", ""];
    const target = ["--target", "es2024", "--lib", "es2024,dom", "--module", module, "--moduleResolution", resolution];
    const tsc = join(root, "node_modules/.bin/tsc");
    const { stdout, stderr } = tryIn(folder, {}, [tsc, ...strict, ...target, ...files]);
    // ts-rest, which @siteward/contract exports a router of, declares types of zod 3 that zod 4 does not have.
    const errors = stdout.split("\n").filter((line) => line !== "" && !line.startsWith("node_modules/@ts-rest/"));
    expect(errors).toEqual([]);
    expect(stderr).toBe("");
  });
});

describe("the published packages, installed with pnpm into an empty folder", () => {
  test("run without a dependency that they do not declare", () => {
    const folder = emptyProject("pnpm");
    runIn(folder, {}, "pnpm", "add", "--prefer-offline", ...names);
    for (const program of ["siteward", "siteward-server"]) {
      expect(runIn(folder, {}, "pnpm", "exec", program, "--help")).toContain(`Usage: ${program}`);
    }
    const modules = names.flatMap((name) =>
      globSync("dist/**/*.{js,mjs,cjs}", { cwd: join(folder, "node_modules", name) })
        .filter((file) => !startsItself.test(file))
        .map((file) => `import "./node_modules/${name}/${file}";`),
    );
    expect(modules.length).toBeGreaterThan(50);
    writeFileSync(join(folder, "load-all.mjs"), modules.join("\n"));
    runIn(folder, {}, process.execPath, "load-all.mjs");
  });
});

function emptyProject(name: string): string {
  const folder = join(scratch, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  writeFileSync(join(folder, ".npmrc"), registry.npmrc);
  return folder;
}

/** Lists what a program can import of the installed packages, without JSON files. */
function listEntries(folder: string): string[] {
  return names.flatMap((name) => {
    const manifest = JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"));
    return Object.keys(manifest.exports)
      .filter((path) => !path.endsWith(".json"))
      .map((path) => name + path.slice(1));
  });
}
