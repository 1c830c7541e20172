import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ConsumerProject, createConsumerProject, packageRoot } from "./support/consumer-project.ts";
import { type Responder, serve } from "./support/serve.ts";
import { website } from "./support/website.ts";

let project: ConsumerProject;

beforeAll(async () => {
  project = await createConsumerProject();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
});

describe("the built package", () => {
  test.each([
    ["an ES module", "consumer.mts", "nodenext", ["node"], ["es2022"]],
    ["a CommonJS module", "consumer.cts", "nodenext", ["node"], ["es2022"]],
    ["a bundled module for browsers", "consumer.ts", "bundler", [], ["es2022", "dom"]],
    ["a bundled module for Node and browsers", "consumer.ts", "bundler", ["node"], ["es2022", "dom"]],
  ] as const)(
    "compiles in a strict project as %s",
    { timeout: 60_000 },
    async (_name, file, moduleResolution, types, lib) => {
      expect(await project.compile("consumer.ts", file, { moduleResolution, types, lib })).toBe("");
    },
  );

  test.each([
    ["an ES module", "without-platform.mts", "nodenext"],
    ["a CommonJS module", "without-platform.cts", "nodenext"],
    ["a bundled module", "without-platform.ts", "bundler"],
  ] as const)("compiles without the types of a platform as %s", async (_name, file, moduleResolution) => {
    const options = { moduleResolution, types: [], lib: ["es2022"] } as const;
    expect(await project.compile("without-platform.ts", file, options)).toBe("");
  });

  test.each([
    ["an ES module", "consumer.mts", 'import { run } from "./consumer.mjs"; '],
    ["a CommonJS module", "consumer.cts", 'const { run } = require("./consumer.cjs"); '],
  ])("runs as %s in plain Node", async (_name, file, load) => {
    await using server = await serve(service);
    await project.compile("consumer.ts", file, { moduleResolution: "nodenext", types: ["node"], lib: ["es2022"] });
    const script = `${load} run(process.argv[1]).then((lines) => console.log(lines.join("\\n")))`;
    const type = file.endsWith("mts") ? "module" : "commonjs";
    const { stdout, stderr } = await project.run(type, script, server.baseUrl);
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

  test.each(["index.d.mts", "index.d.cts", "mirror.d.mts", "mirror.d.cts"])(
    "has declarations that import no other package: %s",
    async (file) => {
      const text = await readFile(join(packageRoot, "dist", file), "utf8");
      expect(text).not.toMatch(/zod|ts-rest|@siteward\/contract/);
      expect(text).not.toMatch(/^\s*(import|export) .*from|import\(/m);
    },
  );

  test.each(["index.mjs", "index.cjs", "mirror.mjs", "mirror.cjs"])("loads no other module: %s", async (file) => {
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
