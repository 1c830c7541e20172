import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** One file that breaks each rule of dependency, and words of the message that says why it may not. */
const breaches = {
  "packages/contract/src/platform.ts": ['import "node:fs";', "knows no platform"],
  "packages/contract/src/framework.ts": ['import "express";', "knows no platform"],
  "packages/contract/src/app.ts": ['import "@siteward/server";', "knows no platform"],
  "packages/sdk/src/schema.ts": ['import "zod";', "has no dependency"],
  "packages/sdk/src/router.ts": ['import "@ts-rest/core";', "has no dependency"],
  "packages/sdk/src/contract.ts": ['import "@siteward/contract";', "has no dependency"],
  "packages/sdk/src/platform.ts": ['import "node:https";', "has no dependency"],
  "apps/cli/src/server.ts": ['import "@siteward/server";', "through the SDK alone"],
  "apps/cli/src/contract.ts": ['import "@siteward/contract";', "through the SDK alone"],
  "apps/cli/src/bare.ts": ['await fetch("http://127.0.0.1");', "global variable fetch"],
  "apps/cli/src/environment.ts": ['export const home = process.env["HOME"];', "process.env"],
  "apps/server/src/client.ts": ['import "@siteward/sdk";', "never on a client of itself"],
  "apps/server/src/deep.ts": ['import "@siteward/contract/src/domain.ts";', "by name through their exports"],
  "apps/server/src/environment.ts": ['export const port = process.env["PORT"];', "process.env"],
  "apps/server/src/routes/sql.ts": ['import "kysely";', "Only storage knows SQL"],
  "apps/server/src/routes/store.ts": ['import "../storage/website-store.ts";', "Only storage knows SQL"],
  "apps/server/src/routes/upward.ts": ['import "../app.ts";', "Imports only look down"],
  "apps/server/src/routes/pages/upward.ts": ['import "../../operator/program.ts";', "Imports only look down"],
  "apps/server/src/http/upward.ts": ['import "../routes/index.ts";', "Imports only look down"],
  "apps/server/src/auth/sideways.ts": ['import "../http/body.ts";', "Imports only look down"],
  "apps/server/src/errors/upward.ts": ['import "../config.ts";', "know nothing above"],
  "apps/server/src/storage/engine.ts": ['import "node:sqlite";', "Only the files in storage/dialects"],
  "apps/server/src/storage/http.ts": ['import "express";', "Storage knows no HTTP"],
  "apps/server/src/storage/upward.ts": ['import "../routes/index.ts";', "Imports only look down"],
  "apps/server/src/storage/copy/engine.ts": ['import "pg";', "Only the files in storage/dialects"],
  "apps/server/src/storage/copy/upward.ts": ['import "../../operator/commands/copy.ts";', "Imports only look down"],
  "apps/server/src/storage/migrations/upward.ts": ['import "../../routes/index.ts";', "Imports only look down"],
  "apps/server/src/storage/dialects/upward.ts": ['import "../../http/body.ts";', "Imports only look down"],
} as const satisfies Record<string, readonly [source: string, message: string]>;

/** What the rules must let through. */
const allowed = {
  "apps/server/src/routes/handler.ts": 'import "../storage/storage.ts";\nimport "../auth/principal.ts";',
  "apps/server/src/storage/dialects/sqlite.ts": 'import "node:sqlite";',
  "packages/sdk/src/client.ts": 'import "@siteward/contract/routes";\nimport "@siteward/contract/types";',
  "apps/cli/src/command.ts": 'import "@siteward/sdk";',
} as const satisfies Record<string, string>;

interface Diagnostic {
  readonly message: string;
  readonly location: { readonly path: string };
}

let folder = "";
let diagnostics: readonly Diagnostic[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "siteward-boundaries-"));
  write("biome.json", JSON.stringify({ extends: [join(root, "biome.boundaries.json")], root: true }));
  for (const [path, [source]] of Object.entries(breaches)) write(path, source);
  for (const [path, source] of Object.entries(allowed)) write(path, source);
  diagnostics = lint();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the rules of dependency are linted", () => {
  test.for(Object.entries(breaches))("%s is refused and told why", ([path, [, message]]) => {
    const found = diagnostics.filter(({ location }) => location.path === path).map((diagnostic) => diagnostic.message);
    expect(found.join("\n")).toContain(message);
  });

  test.for(Object.keys(allowed))("%s is let through", (path) => {
    expect(diagnostics.filter(({ location }) => location.path === path)).toEqual([]);
  });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function lint(): Diagnostic[] {
  const biome = join(root, "node_modules/.bin/biome");
  const rules = ["style/noRestrictedImports", "style/noRestrictedGlobals", "style/noProcessEnv"];
  const output = run(biome, [
    "lint",
    "--reporter=json",
    "--max-diagnostics=none",
    ...rules.map((rule) => `--only=${rule}`),
    ".",
  ]);
  return JSON.parse(output).diagnostics;
}

/** A linter that finds something exits with a failure and still prints its report. */
function run(command: string, commandArguments: readonly string[]): string {
  try {
    return execFileSync(command, commandArguments, {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch (error) {
    if (error instanceof Error && "stdout" in error) return String(error.stdout);
    throw error;
  }
}
