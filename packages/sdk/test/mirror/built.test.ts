import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ConsumerProject, createConsumerProject } from "../support/consumer-project.ts";

let project: ConsumerProject;

beforeAll(async () => {
  project = await createConsumerProject();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
});

/** Finds a website, prints how many built-in modules the mirror has loaded, and ends without closing it. */
const program = `
  const { clientOptions } = createFakeSiteward({ websites: [{ domain: "Bücher.example" }] });
  const { getBuiltinModule } = process;
  let loaded = 0;
  process.getBuiltinModule = (name) => {
    loaded += 1;
    return getBuiltinModule(name);
  };
  mirrorWebsites(new Siteward(clientOptions), { file: process.argv[1] || undefined }).then((mirror) => {
    console.log(mirror.byDomain("bücher.example").id, mirror.size, loaded);
  });`;

describe("the built mirror", () => {
  test.each(["module", "commonjs"] as const)("runs in plain Node (%s), and lets the program end", async (type) => {
    const names = { "@siteward/sdk": "Siteward", "@siteward/sdk/mirror": "mirrorWebsites" };
    const all = Object.entries({ ...names, "@siteward/sdk/testing": "createFakeSiteward" });
    const load = all.map(([from, name]) =>
      type === "module" ? `import { ${name} } from "${from}";` : `const { ${name} } = require("${from}");`,
    );
    const script = load.join("\n") + program;
    const first = await project.run(type, script, join(project.path, `${type}.mirror`));
    expect([first.stdout, first.stderr]).toEqual(["1 1 3\n", ""]);
    const fromFile = await project.run(type, script, join(project.path, `${type}.mirror`));
    expect([fromFile.stdout, fromFile.stderr]).toEqual(["1 1 3\n", ""]);
  });

  test("loads no file system unless it has a file", async () => {
    const load = `import { Siteward } from "@siteward/sdk"; import { mirrorWebsites } from "@siteward/sdk/mirror";
      import { createFakeSiteward } from "@siteward/sdk/testing";`;
    const { stdout } = await project.run("module", load + program, "");
    expect(stdout).toBe("1 1 0\n");
  });
});
