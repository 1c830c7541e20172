import { createRequire } from "node:module";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { tryIn } from "./support/run-in.ts";
import { type CommandOf, installRuntimes, lowestNodes } from "./support/runtimes.ts";

const require = createRequire(import.meta.url);
const folderOf = (name: string) => join(inject("installed"), name, "node_modules/@siteward", name);

/** 4 cannot parse `import()`, 14 knows no `node:`, and 20 has most of what the programs need. */
const tooOldNodes = ["node@4", "node@14", "node@20"];
let commandOf: CommandOf;

beforeAll(() => {
  commandOf = installRuntimes([...tooOldNodes, ...Object.values(lowestNodes)]);
});

describe.for([
  ["siteward", "cli", [...tooOldNodes]],
  ["siteward-server", "server", [...tooOldNodes, lowestNodes.siteward]],
  ["siteward-edge", "edge", [...tooOldNodes, lowestNodes.siteward]],
] as const)("%s", ([program, folder, tooOld]) => {
  const bin = join(folderOf(folder), `bin/${program}.js`);
  const range: string = require(join(folderOf(folder), "package.json")).engines.node;
  const runVersion = (node: string) => tryIn("/", {}, ...commandOf(node), bin, "--version");

  test.for(tooOld)("says in one line that %s is older than its engines allow", (node) => {
    const { status, stdout, stderr } = runVersion(node);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    const advice = "Install a later version from https://nodejs.org/en/download.\n";
    expect(stderr.replace(/Node \d+\.\d+\.\d+\./, "Node x.")).toBe(
      `${program} needs Node ${range.slice(2)} or later; this is Node x. ${advice}`,
    );
  });

  test("starts on the lowest Node that its engines allow", () => {
    expect(lowestNodes[program]).toContain(`node@${range.slice(2)}`);
    expect(runVersion(lowestNodes[program])).toMatchObject({ status: 0, stderr: "" });
  });

  test("compares each part of a version as a number, and a pre-release as its release", () => {
    const describeOldNode = require(join(folderOf(folder), "dist/describe-old-node.cjs"));
    const isTooOld = (node: string) => describeOldNode(program, ">=22.12.3", { node }) !== undefined;
    const older = ["22.12.2", "22.2.9", "21.99.99", "9.0.0", "22.12.2-rc.1"];
    expect(older.filter((node) => !isTooOld(node))).toEqual([]);
    expect(["22.12.3", "22.13.0", "23.0.0", "100.0.0", "22.12.3-nightly2026"].filter(isTooOld)).toEqual([]);
  });
});

test.for(["sdk", "rules"])(
  "%s loads with `require` on the lowest Node that its engines allow, without a warning",
  (name) => {
    const { engines } = require(join(folderOf(name), "package.json"));
    expect(lowestNodes.libraries).toContain(`node@${engines.node.slice(2)}`);
    const [node, ...words] = commandOf(lowestNodes.libraries);
    const project = join(inject("installed"), name);
    const script = `console.log(typeof require("@siteward/${name}"))`;
    const expected = { status: 0, stdout: "object\n", stderr: "" };
    expect(tryIn(project, {}, node, ...words, "--input-type=commonjs", "--eval", script)).toMatchObject(expected);
  },
);
