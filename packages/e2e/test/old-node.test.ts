import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cliBin, serverBin } from "./support/built-server.ts";

const require = createRequire(import.meta.url);

type DescribeOldNode = (
  program: string,
  range: string,
  versions: Readonly<Record<string, string>>,
) => string | undefined;

// `pnpm test:runtimes` runs the programs on real old versions of Node.
describe.for([
  { program: "siteward", bin: cliBin },
  { program: "siteward-server", bin: serverBin },
])("$program", ({ program, bin }) => {
  const describeOldNode: DescribeOldNode = require(join(bin, "../../dist/describe-old-node.cjs"));
  const range: string = require(join(bin, "../../package.json")).engines.node;

  test("says in one line that Node is older than its engines allow", () => {
    const script = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });';
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, "--version"], {
      env: { ...process.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` },
      encoding: "utf8",
    });
    const advice = "Install a later version from https://nodejs.org/en/download.";
    const line = `${program} needs Node ${range.slice(2)} or later; this is Node 20.20.2. ${advice}\n`;
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: "", stderr: line });
  });

  test("has engines of a form that it can compare", () => expect(range).toMatch(/^>=\d+\.\d+(\.\d+)?$/));

  test.for(["4.9.1", "22.12.2", "22.2.9", "21.99.99", "9.0.0", "22.12.2-rc.1"])("needs 22.12.3: not %s", (node) => {
    expect(describeOldNode(program, ">=22.12.3", { node })).toContain(
      `needs Node 22.12.3 or later; this is Node ${node}.`,
    );
  });

  test.for(["22.12.3", "22.12.4", "22.13.0", "23.0.0", "100.0.0", "22.12.3-nightly2026", "23.0.0-pre"])(
    "needs 22.12.3: runs on %s",
    (node) => expect(describeOldNode(program, ">=22.12.3", { node })).toBeUndefined(),
  );

  test("needs 22.12: runs on 22.12.0", () => {
    expect(describeOldNode(program, ">=22.12", { node: "22.12.0" })).toBeUndefined();
    expect(describeOldNode(program, ">=22.12", { node: "22.11.9" })).toBeDefined();
  });

  test.for(["bun", "deno"])("runs on %s, whichever Node it imitates", (runtime) => {
    expect(describeOldNode(program, ">=22.12", { node: "18.0.0", [runtime]: "1.0.0" })).toBeUndefined();
  });
});

test("siteward fails if it waits for something that never comes, as an entry point that is a module does", () => {
  const script = "process.stderr.write = () => true;";
  const { status } = spawnSync(process.execPath, [cliBin, "nothing"], {
    env: { ...process.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` },
  });
  expect(status).toBe(13);
});
