import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readLayers } from "../../../scripts/boundaries/layer.ts";
import { layeredFolders } from "../../../scripts/boundaries/layers.ts";
import { listSources } from "../../../scripts/boundaries/list-sources.ts";
import { type Finding, lintImports } from "./support/lint-imports.ts";
import { tryLayers } from "./support/try-layers.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const trials = tryLayers(readLayers(layeredFolders));

/** Imports that must be refused whatever the table says, and words of the message that says why. */
const refused = [
  ["packages/contract/src/grammars/new.ts", 'import "node:fs";', "imports nothing of a platform"],
  ["packages/contract/src/schemas/new.ts", 'import "express";', "imports nothing of a platform"],
  ["packages/contract/src/openapi/new.ts", 'import "@siteward/server";', "imports nothing of a platform"],
  ["packages/sdk/src/request/new.ts", 'import "zod";', "has no dependency"],
  ["packages/sdk/src/request/new.ts", 'import "@siteward/contract";', "has no dependency"],
  ["packages/sdk/src/request/new.ts", 'import "node:https";', "has no dependency"],
  ["packages/sdk/src/request/new.ts", 'import "../../../contract/src/routes.ts";', "has no dependency"],
  ["packages/sdk/src/errors/new.ts", 'import "../request/send.ts";', "imports only folders below it"],
  ["apps/cli/src/commands/new.ts", 'import "@siteward/server";', "only through the SDK"],
  ["apps/cli/src/commands/new.ts", 'import "@siteward/contract";', "only through the SDK"],
  ["apps/cli/src/commands/new.ts", 'import "node:https";', "only through the SDK"],
  ["apps/cli/src/commands/new.ts", 'await fetch("http://127.0.0.1");', "fetch"],
  ["apps/cli/src/output/new.ts", 'import "../commands/registry.ts";', "imports only folders below it"],
  ["apps/server/src/routes/new.ts", 'import "@siteward/sdk";', "never imports a client of itself"],
  ["apps/server/src/routes/new.ts", 'await fetch("http://127.0.0.1");', "fetch"],
  ["apps/server/src/storage/database/new.ts", 'await fetch("http://127.0.0.1");', "fetch"],
  ["apps/server/src/routes/new.ts", 'import "kysely";', "Only storage contains SQL"],
  [
    "apps/server/src/routes/new.ts",
    'import "../storage/stores/websites/website-store.ts";',
    "Only storage contains SQL",
  ],
  ["apps/server/src/routes/new.ts", 'import "../app.ts";', "imports only folders below it"],
  ["apps/server/src/door/http/new.ts", 'import "../../routes/index.ts";', "imports only folders below it"],
  ["apps/server/src/auth/new.ts", 'import "../door/http/body.ts";', "imports only folders below it"],
  ["apps/server/src/errors/new.ts", 'import "../config.ts";', "import nothing above"],
  ["apps/server/src/storage/stores/new.ts", 'import "node:sqlite";', "belongs to no layer"],
  ["apps/server/src/storage/stores/websites/new.ts", 'import "node:sqlite";', "contain code of one engine"],
  ["apps/server/src/storage/stores/websites/new.ts", 'import "express";', "Storage must not import HTTP code"],
  [
    "apps/server/src/storage/stores/websites/new.ts",
    'import "../../../door/http/body.ts";',
    "Storage must not import HTTP code",
  ],
  [
    "apps/server/src/storage/stores/websites/new.ts",
    'import "../../../errors/from-storage-error.ts";',
    "Storage must not import HTTP code",
  ],
  [
    "apps/server/src/storage/copy/new.ts",
    'import "pg";',
    "Only the folders in storage/dialects contain code of one engine",
  ],
  ["apps/server/src/storage/migrations/new.ts", 'import "../copy/copy-database.ts";', "imports only folders below it"],
  ["apps/server/src/storage/dialects/sqlite/new.ts", 'import "../../../app.ts";', "imports only folders below it"],
  [
    "apps/server/src/storage/dialects/sqlite/new.ts",
    'import "../postgres/postgres.ts";',
    "Dialects do not import each other",
  ],
  ["apps/server/src/audit/new.ts", 'import "../routes/index.ts";', "belongs to no layer"],
  ["apps/server/src/audit/new.ts", 'import "node:sqlite";', "belongs to no layer"],
  ["apps/server/src/audit/new.ts", 'import "./beside.ts";', "belongs to no layer"],
  ["apps/server/src/new.ts", 'import "express";', "belongs to no layer"],
  ["packages/service/src/lists/new.ts", 'import "node:crypto";', "neither storage nor a platform"],
  ["packages/service/src/lists/new.ts", 'import "express";', "neither storage nor a platform"],
  ["packages/sdk/src/request/new.ts", 'import "@siteward/service";', "has no dependency"],
  ["packages/sdk/test/new.ts", 'import "../../contract/src/routes.ts";', "by its name"],
  ["packages/sdk/test/new.ts", 'import "../src/../../contract/src/routes.ts";', "the shortest path"],
  ["packages/torture/src/rows/new.ts", 'import "../raw/../../../contract/src/routes.ts";', "the shortest path"],
  ["packages/torture/src/rows/new.ts", 'import "../../../contract/src/routes.ts";', "Attacks run the built server"],
  ["packages/sdk/src/new.test.ts", 'import "@siteward/contract/src/routes.ts";', "by its name"],
] as const;

/** Other ways to write an import, of a module that the file may not import. */
const forms = [
  'import type { Request } from "express";',
  'export { Router } from "express";',
  'export * from "express";',
  'export type { Request } from "express";',
  'await import("express");',
  "await import(`express`);",
  'const name = "express"; await import(name);',
  'type Request = import("express").Request;',
  'import "../../../src/door/http/body.ts";',
  'import "../../../../src/door/http/body.ts";',
  'import "../../door/http/body.ts?";',
  'import "../database/../../door/http/body.ts";',
  'import "./../../door/http/body.ts";',
  'import "./copy/../../../door/http/body.ts";',
  'import "../../../../../apps/server/src/door/http/body.ts";',
] as const;

let folder = "";
let findings: readonly Finding[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "siteward-boundaries-"));
  const files = trials.map(({ path, attempts }) => [path, attempts.map(({ source }) => source).join("\n")]);
  const others = refused.map(([path, source], index) => [numbered(path, index), source]);
  const copyFile = ["apps/server/src/storage/copy/forms.ts", forms.join("\n")];
  findings = lintImports(folder, root, Object.fromEntries([...files, ...others, copyFile]));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the linter refuses what a layer may not import", () => {
  test.for(trials)("$path may import what the table says, and nothing else", ({ path, attempts }) => {
    const lines = new Set(findings.filter((finding) => finding.path === path).map(({ line }) => line));
    const refusedSources = attempts.filter((_, index) => lines.has(index + 1)).map(({ source }) => source);
    expect(refusedSources).toEqual(attempts.filter(({ isAllowed }) => !isAllowed).map(({ source }) => source));
  });

  test.for(refused.map((entry, index) => [...entry, index] as const))("%s: %s (%s)", ([path, , words, index]) => {
    const messages = findings.filter((finding) => finding.path === numbered(path, index)).map(({ message }) => message);
    expect(messages.join("\n")).toContain(words);
  });

  test.for(forms.map((form, index) => [form, index + 1] as const))("however it is written: %s", ([, line]) => {
    const path = "apps/server/src/storage/copy/forms.ts";
    expect(findings.filter((finding) => finding.path === path && finding.line === line)).not.toEqual([]);
  });
});

describe("`pnpm check` knows every folder", () => {
  beforeEach(() => {
    rmSync(join(folder, "tree"), { recursive: true, force: true });
    for (const path of listSources(root)) write(path, "");
    for (const path of ["scripts/boundaries", "biome.boundaries.json"]) {
      cpSync(join(root, path), join(folder, "tree", path), { recursive: true });
    }
  });

  test("it finds nothing wrong with the folders there are", () => {
    expect(check()).toBe("");
  });

  test("it refuses a folder, or a file, that the table does not name", () => {
    write("apps/server/src/audit/audit.ts", "");
    write("apps/server/src/new.ts", "");
    const remedy =
      "belongs to no layer. State in scripts/boundaries/layers.ts what it may import, then run `pnpm generate`.";
    expect(check()).toBe(`apps/server/src/audit/ ${remedy}\napps/server/src/new.ts ${remedy}\n`);
  });

  test("it refuses a table that names what does not exist", () => {
    rmSync(join(folder, "tree/apps/server/src/auth"), { recursive: true });
    expect(check()).toContain(
      "apps/server/src/auth/ is a layer in scripts/boundaries/layers.ts, but no such file exists.",
    );
  });

  test("it refuses a table that lets a folder import what is above it", () => {
    const table = readFileSync(join(root, "scripts/boundaries/layers.ts"), "utf8");
    write(
      "scripts/boundaries/layers.ts",
      table.replace(/"config\.ts": \{\s+mayImport: "/, '"config.ts": { mayImport: "app.ts '),
    );
    expect(check()).toContain("apps/server/src/config.ts may import apps/server/src/app.ts");
  });

  test("it refuses rules that are older than the table", () => {
    write("biome.boundaries.json", "{}");
    expect(check()).toContain("Run `pnpm generate`.");
  });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, "tree", path)), { recursive: true });
  writeFileSync(join(folder, "tree", path), text);
}

function check(): string {
  try {
    execFileSync(process.execPath, [join(folder, "tree/scripts/boundaries/check.ts")], { stdio: "pipe" });
    return "";
  } catch (error) {
    if (error instanceof Error && "stderr" in error) return String(error.stderr);
    throw error;
  }
}

/** Gives each attempt a file of its own, so that its message is its own. */
function numbered(path: string, index: number): string {
  return path.replace("new", `new-${index}`);
}
