import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Responder, serve } from "./support/serve.ts";
import { website } from "./support/website.ts";

const run = promisify(execFile);
const packageRoot = dirname(import.meta.dirname);
const require = createRequire(import.meta.url);

/** A project of a user who installed the built package, and otherwise only the types of Node. */
let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "siteward-sdk-"));
  const installed = join(project, "node_modules/@siteward/sdk");
  await cp(join(packageRoot, "dist"), join(installed, "dist"), { recursive: true });
  await cp(join(packageRoot, "package.json"), join(installed, "package.json"));
  await mkdir(join(project, "node_modules/@types"));
  await symlink(dirname(require.resolve("@types/node/package.json")), join(project, "node_modules/@types/node"));
});

afterAll(async () => {
  await rm(project, { recursive: true });
});

describe("the built package", () => {
  test.each([
    ["an ES module", "consumer.mts", "nodenext", ["node"], ["es2022"]],
    ["a CommonJS module", "consumer.cts", "nodenext", ["node"], ["es2022"]],
    ["a bundled module for browsers", "consumer.ts", "bundler", [], ["es2022", "dom"]],
  ])("compiles in a strict project as %s", async (_name, file, moduleResolution, types, lib) => {
    expect(await compile(file, moduleResolution, { types, lib })).toBe("");
  });

  test.each([
    ["an ES module", "consumer.mts", 'import { run } from "./consumer.mjs"; '],
    ["a CommonJS module", "consumer.cts", 'const { run } = require("./consumer.cjs"); '],
  ])("runs as %s in plain Node", async (_name, file, load) => {
    await using server = await serve(service);
    await compile(file, "nodenext", { types: ["node"], lib: ["es2022"] });
    const type = file.endsWith("mts") ? "module" : "commonjs";
    const script = `${load} run(process.argv[1]).then((lines) => console.log(lines.join("\\n")))`;
    const { stdout, stderr } = await run(process.execPath, [`--input-type=${type}`, "-e", script, server.baseUrl], {
      cwd: project,
    });
    expect(stdout.trimEnd().split("\n")).toEqual([
      "websites:read",
      "site-1.example",
      '"2"',
      "false",
      "site-1.example,site-2.example",
      "undefined",
      "not_found No such website. false",
    ]);
    expect(stderr).toBe("");
  });

  test.each(["index.d.mts", "index.d.cts"])("has declarations that import no other package: %s", async (file) => {
    const text = await readFile(join(packageRoot, "dist", file), "utf8");
    expect(text).not.toMatch(/zod|ts-rest|@siteward\/contract/);
    expect(text).not.toMatch(/^\s*(import|export) .*from|import\(/m);
  });

  test.each(["index.mjs", "index.cjs"])("loads no other module: %s", async (file) => {
    const text = await readFile(join(packageRoot, "dist", file), "utf8");
    expect(text).not.toMatch(/^\s*(import|export) .*from|import\(|require\(/m);
  });

  test("has no dependency at run time", async () => {
    const manifest: unknown = JSON.parse(await readFile(join(packageRoot, "package.json"), "utf8"));
    expect(manifest).not.toHaveProperty("dependencies");
    expect(manifest).not.toHaveProperty("peerDependencies");
    expect(manifest).not.toHaveProperty("optionalDependencies");
  });
});

/** Compiles the consumer under a file name that decides its module format, and returns the compiler errors. */
async function compile(
  file: string,
  moduleResolution: string,
  libraries: { types: string[]; lib: string[] },
): Promise<string> {
  await cp(join(import.meta.dirname, "consumer/consumer.ts"), join(project, file));
  const module = moduleResolution === "bundler" ? "esnext" : "nodenext";
  const compilerOptions = {
    ...libraries,
    module,
    moduleResolution,
    target: "es2022",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
  };
  await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }));
  const compiler = join(dirname(require.resolve("typescript/package.json")), "bin/tsc");
  // The compiler prints its errors to stdout and exits with a failure.
  const { stdout } = await run(process.execPath, [compiler, "-p", project]).catch((error: { stdout: string }) => error);
  return stdout;
}

/** Answers each operation as the service does. */
const service: Responder = (response, { method, url }) => {
  const send = (status: number, body: unknown): void => {
    response.writeHead(status, { "content-type": "application/json", etag: '"2"' }).end(JSON.stringify(body));
  };
  if (method === "DELETE") return void response.writeHead(204).end();
  if (url.endsWith("/account")) return send(200, { data: { api_key: { scopes: ["websites:read"] } } });
  if (url.endsWith("/404"))
    return send(404, { code: "not_found", title: "Not found", detail: "No such website.", status: 404 });
  if (!url.includes("?")) return send(200, { data: website(1) });
  return send(200, { data: [website(1), website(2)], links: {}, meta: { next_cursor: null } });
};
