import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ConsumerProject, createConsumerProject, packageRoot } from "../support/consumer-project.ts";

let project: ConsumerProject;

beforeAll(async () => {
  project = await createConsumerProject();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
});

describe("the built testing entry", () => {
  test.each([
    ["an ES module", "use-fake.mts", 'import { run } from "./use-fake.mjs"; '],
    ["a CommonJS module", "use-fake.cts", 'const { run } = require("./use-fake.cjs"); '],
  ])("compiles in a strict project as %s, runs in plain Node, and lets it exit", async (_name, file, load) => {
    const options = { moduleResolution: "nodenext", types: ["node"], lib: ["es2022"] } as const;
    expect(await project.compile("use-fake.ts", file, options)).toBe("");
    const type = file.endsWith("mts") ? "module" : "commonjs";
    const { stdout, stderr } = await project.run(type, `${load} run().then((seen) => console.log(seen.join("\\n")))`);
    expect(stdout.trimEnd().split("\n")).toEqual([
      "xn--bcher-kva.example",
      "2001:db8::1",
      "aborted",
      "POST undefined,POST 201,GET undefined,GET undefined",
    ]);
    expect(stderr).toBe("");
  });

  test("compiles for bundlers and browsers", async () => {
    const options = { moduleResolution: "bundler", types: [], lib: ["es2022", "dom"] } as const;
    expect(await project.compile("use-fake.ts", "use-fake.ts", options)).toBe("");
  });

  test.each(["testing.d.mts", "testing.d.cts"])("has declarations that import nothing: %s", async (file) => {
    const text = await readFile(join(packageRoot, "dist", file), "utf8");
    expect(text).not.toMatch(/zod|ts-rest|@siteward\/(contract|service)/);
    expect(text).not.toMatch(/^\s*(import|export) .*from|import\(/m);
  });

  test.each(["testing.mjs", "testing.cjs"])("loads no other module: %s", async (file) => {
    const text = await readFile(join(packageRoot, "dist", file), "utf8");
    expect(text).not.toMatch(/^\s*(import|export) .* from "|\bimport\("|\brequire\("/m);
  });
});
