import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cliBin, serverBin } from "../support/built-server.ts";
import { installRuntimes, type Runtimes } from "../support/install-runtimes.ts";

// 4 cannot parse `import()`, 12.13 knows no modules, 14 no `node:`, and 20 has most of what the programs need.
const tooOld = ["node@4", "node@8", "node@12.13.0", "node@12", "node@14", "node@20"];

const resources = new DisposableStack();
let runtimes: Runtimes;
beforeAll(() => {
  runtimes = resources.use(installRuntimes([...tooOld, "node@22.12.0", "node@24.18.1"]));
});
afterAll(() => resources.dispose());

describe("a Node that is too old gets one line", () => {
  test.for(tooOld)("from siteward: %s", (name) => {
    expect(runVersion(name, cliBin)).toEqual({ status: 1, stdout: "", stderr: refusal("siteward", "22.12") });
  });

  test.for([...tooOld, "node@22.12.0"])("from siteward-server: %s", (name) => {
    expect(runVersion(name, serverBin)).toEqual({
      status: 1,
      stdout: "",
      stderr: refusal("siteward-server", "24.18.1"),
    });
  });
});

test.for([
  ["siteward", cliBin, "node@22.12.0"],
  ["siteward-server", serverBin, "node@24.18.1"],
] as const)("%s starts on the lowest Node that its engines allow", ([, bin, name]) => {
  expect(runVersion(name, bin)).toEqual({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: "" });
});

function runVersion(name: string, bin: string): { status: number | null; stdout: string; stderr: string } {
  const [program = "", ...flags] = runtimes.commandOf(name);
  const { status, stdout, stderr } = spawnSync(program, [...flags, bin, "--version"], { encoding: "utf8" });
  return { status, stdout, stderr };
}

function refusal(program: string, lowest: string): unknown {
  const pattern = `^${program} needs Node ${lowest} or later; this is Node \\d+\\.\\d+\\.\\d+\\. Install [^\\n]+\\n$`;
  return expect.stringMatching(new RegExp(pattern));
}
