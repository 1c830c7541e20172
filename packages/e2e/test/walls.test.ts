import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findProblems } from "../../../scripts/walls/find-problems.ts";
import { listSources } from "../../../scripts/walls/list-sources.ts";
import type { Walls } from "../../../scripts/walls/room.ts";
import { walls } from "../../../scripts/walls/walls.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Imports that must be refused whatever the table says, and words of the message that says why. */
const refused = [
  ["packages/contract/src/grammars/new.ts", 'import "node:fs";', "imports nothing of a platform"],
  ["packages/contract/src/schemas/new.ts", 'import "express";', "imports nothing of a platform"],
  ["packages/contract/src/openapi/new.ts", 'import "@siteward/server";', "imports nothing of a platform"],
  ["packages/service/src/lists/new.ts", 'import "node:crypto";', "neither HTTP, nor a server, nor SQL"],
  ["packages/service/src/lists/new.ts", 'import "express";', "neither HTTP, nor a server, nor SQL"],
  ["packages/sdk/src/request/new.ts", 'import "zod";', "has no dependency"],
  ["packages/sdk/src/request/new.ts", 'import "@siteward/contract";', "has no dependency"],
  ["packages/sdk/src/request/new.ts", 'import "@siteward/service";', "has no dependency"],
  ["packages/sdk/src/request/new.ts", 'import "node:https";', "has no dependency"],
  ["packages/sdk/src/request/new.ts", 'import "../testing/index.ts";', "shares no file with the main entry"],
  ["packages/rules/src/new.ts", 'import "node:net";', "run wherever the SDK runs"],
  ["packages/rules/src/addresses/new.ts", 'import "@siteward/contract";', "run wherever the SDK runs"],
  ["packages/rules/src/hosts/new.ts", 'import "isbot";', "What a bot is, is decided in one place"],
  ["packages/rules/src/hosts/new.ts", 'import "../bots/find-bot.ts";', "do not import each other"],
  ["packages/sdk/src/options/new.ts", 'import "../retry/retry-rule.ts";', "do not import each other"],
  ["packages/sdk/src/errors/new.ts", 'import "../request/send.ts";', "imports only what is below it"],
  ["apps/cli/src/commands/new.ts", 'import "@siteward/server";', "only through the SDK"],
  ["apps/cli/src/commands/new.ts", 'import "@siteward/contract";', "only through the SDK"],
  ["apps/cli/src/commands/new.ts", 'import "node:https";', "only client/ sends"],
  ["apps/cli/src/commands/new.ts", 'await fetch("http://127.0.0.1");', "only through the SDK"],
  ["apps/cli/src/commands/new.ts", 'await globalThis.fetch("http://127.0.0.1");', "only through the SDK"],
  ["apps/cli/src/commands/new.ts", "process.exit(1);", "as an argument"],
  ["apps/cli/src/output/new.ts", 'import "../commands/registry.ts";', "imports only what is below it"],
  ["apps/cli/src/entries/new.ts", 'import "../client/create-client.ts";', "do not import each other"],
  ["apps/server/src/door/mount/new.ts", 'import "@siteward/sdk";', "never imports a client of itself"],
  ["apps/server/src/door/mount/new.ts", 'await fetch("http://127.0.0.1");', "sends no requests"],
  ["apps/server/src/door/mount/new.ts", 'import "node:https";', "sends no requests"],
  ["apps/server/src/door/mount/new.ts", 'import "undici";', "sends no requests"],
  ["apps/server/src/storage/database/new.ts", 'await fetch("http://127.0.0.1");', "fetch"],
  ["apps/server/src/door/mount/new.ts", 'import "kysely";', "Only storage contains SQL"],
  ["apps/server/src/door/mount/new.ts", 'import "../../storage/database/database.ts";', "Only storage contains SQL"],
  ["apps/server/src/door/mount/new.ts", 'import "../../app.ts";', "imports only what is below it"],
  ["apps/server/src/door/http/new.ts", 'import "../mount/mount-operations.ts";', "imports only what is below it"],
  ["apps/server/src/workers/new.ts", "const runtime = process; runtime.env;", "Only main.ts reads the environment"],
  ["apps/server/src/workers/new.ts", "const { pid, ...rest } = process;", "Only main.ts reads the environment"],
  ["apps/server/src/auth/new.ts", 'process.env["HOME"];', "Only main.ts reads the environment"],
  ["apps/server/src/workers/new.ts", "const { env } = process;", "Only main.ts reads the environment"],
  ["apps/server/src/workers/new.ts", 'import { env } from "node:process";', "Only main.ts reads the environment"],
  ["apps/server/src/auth/new.ts", 'import "../door/admission/exchange.ts";', "do not import each other"],
  ["apps/server/src/storage/stores/new.ts", 'import "node:sqlite";', "is in no order"],
  ["apps/server/src/storage/interface/new.ts", 'import "node:sqlite";', "contain code of one engine"],
  ["apps/server/src/storage/interface/new.ts", 'import "express";', "Storage must not import HTTP code"],
  [
    "apps/server/src/storage/reads/websites/new.ts",
    'import "../../migrations/migrate.ts";',
    "do not import each other",
  ],
  ["apps/server/src/storage/database/new.ts", 'import "../../door/http/body.ts";', "Storage must not import HTTP code"],
  ["apps/server/src/storage/copy/new.ts", 'import "pg";', "contain code of one engine"],
  ["apps/server/src/storage/migrations/new.ts", 'import "../copy/copy-database.ts";', "imports only what is below it"],
  ["apps/server/src/storage/copy/new.ts", 'import "../dialects/sqlite/sqlite.ts";', "knows which there are"],
  ["apps/server/src/storage/dialects/sqlite/new.ts", 'import "../../../app.ts";', "imports only what is below it"],
  ["apps/server/src/storage/dialects/sqlite/new.ts", 'import "../postgres/postgres.ts";', "do not import each other"],
  ["packages/sdk/test/new.ts", 'import "../../contract/src/routes.ts";', "by its name"],
  ["packages/sdk/test/new.ts", 'import "../src/../../contract/src/routes.ts";', "by its name"],
  ["packages/sdk/src/new.test.ts", 'import "@siteward/contract/src/routes.ts";', "by its name"],
  ["packages/sdk/src/new.test.ts", 'import "express";', "does not declare"],
  ["packages/torture/src/rows/new.ts", 'import "../../../contract/src/routes.ts";', "by its name"],
] as const;

/** What somebody in a hurry tries, and the rule that refuses it. */
const hurried = [
  ["apps/server/src/storage/copy/new.ts", 'new Function("return 1")();', "Code in a string"],
  ["apps/server/src/storage/copy/new.ts", 'import "./linked/body.ts";', "through a symbolic link"],
  ["apps/server/src/door/mount/new.config.ts", 'import { sql } from "kysely";', "Only storage contains SQL"],
  [
    "apps/server/src/door/mount/new.ts",
    '// biome-ignore lint: later\nimport { sql } from "kysely";',
    "Only storage contains SQL",
  ],
  ["apps/server/src/storage/copy/new.ts", 'createRequire(import.meta.url)("express");', "Storage must not import HTTP"],
  ["apps/server/src/storage/copy/new.ts", 'process.getBuiltinModule("node:sqlite");', "contain code of one engine"],
  ["apps/server/src/door/mount/new.ts", 'import type { Kysely } from "kysely";', "Only storage contains SQL"],
  ["apps/server/src/door/mount/new.ts", 'export { sql } from "kysely";', "Only storage contains SQL"],
  ["apps/server/src/storage/database/new.mjs", 'import "../../app.ts";', "Storage must not import HTTP code"],
  ["packages/sdk/src/request/new.ts", 'import "../../../contract/src/routes.ts";', "leaves its package by a path"],
  ["apps/cli/src/commands/new.ts", 'import "@siteward/sdk/dist/index.mjs";', "exports of @siteward/sdk do not name"],
  ["apps/server/src/door/mount/new.ts", `await import(\`kysely\${suffix}\`);`, "name is computed"],
  ["apps/server/src/quick/new.ts", "export {};", "apps/server/src/quick/ is in no order"],
  ["apps/server/src/quick.ts", "export {};", "apps/server/src/quick.ts is in no order"],
  ["tools/new.ts", "export {};", "tools/ is in no order"],
  ["apps/server/src/door/mount/new.ts", 'import "../../../dist/main.js";', "is above apps/server/src"],
  ["apps/server/src/door/mount/new.ts", 'import "../../../tsdown.config.ts";', "is in no order"],
  ["apps/server/src/door/mount/new.ts", 'import "../../../test/support/http-client.ts";', "Only tests import tests"],
] as const;

/** Other ways to write an import, of a module that a file of storage/copy may not import. */
const forms = [
  'import type { Request } from "express";',
  'export { Router } from "express";',
  'export * from "express";',
  'export type { Request } from "express";',
  'await import("express");',
  "await import(`express`);",
  'await import(/* "kysely" */ "express");',
  'const name = "express"; await import(name);',
  'type Request = import("express").Request;',
  'type Express = typeof import("express");',
  'import express = require("express");',
  'require("express");',
  'require.resolve("express");',
  'import.meta.resolve("express");',
  'declare module "express" {}',
  '/// <reference types="express" />',
  '/// <reference path="../../door/http/body.ts" />',
  'createRequire(import.meta.url)("express");',
  'const load = createRequire(import.meta.url); load("express");',
  'import { createRequire as load } from "node:module";',
  'const { createRequire: load } = await import("node:module");',
  'process.getBuiltinModule("node:http");',
  'const builtin = process.getBuiltinModule; builtin("node:http");',
  "const { getBuiltinModule } = process;",
  'process["getBuiltinModule"]("node:http");',
  'new Worker(new URL("../../app.ts", import.meta.url));',
  'await import(new URL("../../app.ts", import.meta.url).href);',
  'import "../../../src/door/http/body.ts";',
  'import "../../../../src/door/http/body.ts";',
  'import "../../door/http/body.ts?";',
  'import "../../door/http/body.js";',
  'import "../../door/http/body";',
  'import "../database/../../door/http/body.ts";',
  'import "./../../door/http/body.ts";',
  'import "./copy/../../../door/http/body.ts";',
  'import "../../../../../apps/server/src/door/http/body.ts";',
  `import "${join(root, "apps/server/src/door/http/body.ts")}";`,
] as const;

/** What sources import that is no source. */
const dataFiles = globSync("{package.json,*/*/package.json,apps/cli/siteward.schema.json,examples/package.json}", {
  cwd: root,
});

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "siteward-walls-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the tree keeps all walls, and the table permits nothing in vain", () => {
  expect(findProblems(root, walls)).toEqual([]);
});

describe("in a copy of the tree", () => {
  const attempts = [...refused, ...hurried].map(([path, text, words], index) => ({
    // Each attempt has a file of its own, so that its message is its own.
    path: path.replace("/new.", `/new-${index}.`),
    text,
    words,
  }));
  const formsPath = "apps/server/src/storage/copy/forms.ts";
  let problems: readonly string[] = [];

  beforeAll(() => {
    const sources = listSources(root).filter((path) => !path.endsWith(".test.ts"));
    for (const path of [...sources, ...dataFiles]) cpSync(join(root, path), join(folder, path));
    for (const { path, text } of attempts) write(path, text);
    symlinkSync("../../door/http", join(folder, "apps/server/src/storage/copy/linked"));
    write(formsPath, forms.join("\n"));
    problems = findProblems(folder, walls);
  });

  test.for(attempts)("$path: $text ($words)", ({ path, words }) => {
    const own = problems.filter((problem) => problem.startsWith(path) || problem.startsWith(`${dirname(path)}/ `));
    expect(own.join("\n")).toContain(words);
  });

  test.for(forms.map((form, index) => [form, index + 1] as const))("however it is written: %s", ([, line]) => {
    expect(problems.filter((problem) => problem.startsWith(`${formsPath}:${line} `))).not.toEqual([]);
  });
});

describe("in a small tree", () => {
  const because = "A shop sells.";
  const small: Walls = {
    scripts: { because, order: ["walls/"] },
    "apps/shop": { because, order: ["bin/", "dist/", "src/"] },
    "apps/shop/src": {
      because,
      order: ["main.ts", "pages/ | mails/", "stock/", "money.ts"],
      modules: {
        "pg node:fs": "stock/",
        "node:process process.env": { by: "main.ts", because: "Only main.ts reads it." },
      },
    },
    "apps/shop/src/stock": {
      because: "Stock is counted in one place.",
      order: ["stock.ts", "rows/**"],
      entrances: { "stock.ts": "../pages/ ../main.ts" },
    },
  };
  const sources: Readonly<Record<string, string>> = {
    "apps/shop/package.json": '{ "name": "shop", "dependencies": { "pg": "1" } }',
    "apps/shop/bin/shop.js": 'require("../dist/main.js");',
    "apps/shop/src/main.ts": 'import "./pages/page.ts"; import "./stock/stock.ts"; process.env["PORT"];',
    "apps/shop/src/pages/page.ts": 'import "../stock/stock.ts"; import "../money.ts";',
    "apps/shop/src/pages/page.test.ts": 'import "../stock/rows/deep/row.ts"; import "node:fs";',
    "apps/shop/src/mails/mail.ts": 'import type { Money } from "../money.ts";',
    "apps/shop/src/stock/stock.ts": 'import "./rows/deep/row.ts";',
    "apps/shop/src/stock/rows/deep/row.ts": 'import "pg"; import "node:fs";',
    "apps/shop/src/money.ts": "export {};",
  };

  function check(changes: Readonly<Record<string, string | undefined>>, table = small): string[] {
    const files = {
      ...sources,
      "scripts/walls/walls.ts": `export const walls = ${JSON.stringify(table, null, 2)}`,
      ...changes,
    };
    for (const [path, text] of Object.entries(files)) if (text !== undefined) write(join("small", path), text);
    return findProblems(join(folder, "small"), table);
  }

  beforeEach(() => rmSync(join(folder, "small"), { recursive: true, force: true }));

  test("nothing is wrong with what the table permits", () => expect(check({})).toEqual([]));

  test("a message says the file and the line, the rule, its reason and its place in the table", () => {
    const [problem] = check({ "apps/shop/src/mails/mail.ts": '\n\nimport "pg";' });
    const rule = "may not use pg. Only apps/shop/src/stock/ may. A shop sells.";
    const line = JSON.stringify(small, null, 2)
      .split("\n")
      .findIndex((text) => text.includes("pg node:fs"));
    expect(problem).toBe(`apps/shop/src/mails/mail.ts:3 ${rule} See scripts/walls/walls.ts:${line + 1}.`);
  });

  test.for([
    ["a cycle of types", "import type", "import type"],
    ["a cycle through a type and a re-export", "import type", "export"],
  ] as const)("%s is refused", ([, first, second]) => {
    const problems = check({
      "apps/shop/src/stock/rows/deep/row.ts": `import "pg"; import "node:fs"; ${first} { Other } from "../other.ts";`,
      "apps/shop/src/stock/rows/other.ts": `${second} { Row } from "./deep/row.ts";`,
    });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain("deep/row.ts → apps/shop/src/stock/rows/other.ts → ");
  });

  test("a type in an import() closes a cycle, too", () => {
    const text = 'import "./rows/deep/row.ts"; export type Main = import("./stock.ts").Main;';
    expect(check({ "apps/shop/src/stock/stock.ts": text })[0]).toContain("imports itself");
  });

  test.for([
    ["that nobody imports", { "apps/shop/src/stock/rows/deep/row.ts": 'import "pg";' }, "Nobody imports node:fs"],
    ["of a global", { "apps/shop/src/main.ts": 'import "./stock/stock.ts";' }, "Nobody imports process.env"],
    ["to enter a room", { "apps/shop/src/pages/page.ts": "export {};" }, "apps/shop/src/pages/ imports nothing of"],
  ] as const)("a permission %s is refused", ([, changes, words]) => {
    expect(check(changes).join("\n")).toContain(`${words}`);
  });

  test("a folder, a file or a subfolder that no order names is refused, once each", () => {
    const changes = ["new/one.ts", "new/two.mts", "new.cjs", "pages/new/one.ts", "stock/new.js"];
    const problems = check(Object.fromEntries(changes.map((path) => [`apps/shop/src/${path}`, ""])));
    expect(problems.map((problem) => problem.split(" ")[0])).toEqual(
      ["new.cjs", "new/", "pages/new/", "stock/new.js"].map((path) => `apps/shop/src/${path}`),
    );
  });

  test("an order that names what does not exist is refused", () => {
    expect(check({ "apps/shop/src/mails/mail.ts": undefined })[0]).toContain("apps/shop/src/mails/ does not exist");
  });

  test("a room is entered only by those that its entrances name", () => {
    const deep = 'import "../stock/stock.ts"; import "../stock/rows/deep/row.ts";';
    expect(check({ "apps/shop/src/pages/page.ts": deep })[0]).toContain("apps/shop/src/stock does not open to it");
    expect(check({ "apps/shop/src/mails/mail.ts": 'import "../stock/stock.ts";' })[0]).toContain("does not open to it");
  });

  test("a package that is not declared is refused, in tests too", () => {
    expect(check({ "apps/shop/src/pages/page.test.ts": 'import "left-pad";' })[0]).toContain("does not declare");
  });

  test("a file that cannot be parsed is refused", () => {
    expect(() => check({ "apps/shop/src/money.ts": "import {" })).toThrow("apps/shop/src/money.ts cannot be parsed");
  });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
