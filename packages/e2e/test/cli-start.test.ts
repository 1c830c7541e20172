import { execFile, spawnSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { cliBin } from "./support/built-server.ts";

/** Prints what was loaded: files of programs, and built-in modules. */
const listLoaded = `import module from "node:module";
  process.on("exit", () => console.error([...Object.keys(module._cache), ...process.moduleLoadList].join("\\n")));`;
const preload = `--import=data:text/javascript,${encodeURIComponent(listLoaded)}`;

/** What every run loads, besides `start`: the helper of the bundler, and what decides where Node keeps compiled code. */
const always = ["bin", "compile-cache", "describe-old-node", "rolldown-runtime", "start"];

test("siteward --version loads no command", () => {
  const { stderr } = spawnSync(process.execPath, [preload, cliBin, "--version"], { encoding: "utf8" });
  expect(filesIn(stderr)).toEqual(always);
});

test.for([["--help"], ["help"], ["websites", "--help"], ["websites", "get", "-h"], ["help", "websites", "list"]])(
  "siteward %s: the built help is that of the sources, and loads no command",
  (commandLine) => {
    const env = { ...process.env, COLUMNS: "60" };
    const [built, source] = [[preload, cliBin], [join(cliBin, "../../src/bin.ts")]].map((start) =>
      spawnSync(process.execPath, [...start, ...commandLine], { env, encoding: "utf8" }),
    );
    expect({ status: built?.status, stdout: built?.stdout }).toEqual({ status: 0, stdout: source?.stdout });
    expect(built?.stdout).toContain("Usage: siteward ");
    expect(filesIn(built?.stderr ?? "")).toEqual([...always, "built-help", "built-pages", "help-text"].toSorted());
  },
);

test("`siteward websites get` loads one file for all of its request, and none of Node's large modules that it does not need", async () => {
  await using server = createServer((_request, response) => response.end('{"data":{"id":7}}'));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const env = {
    PATH: process.env["PATH"],
    HOME: "/nonexistent",
    SITEWARD_API_KEY: "swk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA3Ae0o2",
    SITEWARD_BASE_URL: `http://127.0.0.1:${port}`,
  };
  const commandLine = [preload, cliBin, "websites", "get", "7"];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, commandLine, { env });
  expect(JSON.parse(stdout)).toMatchObject({ id: 7 });
  expect(filesIn(stderr)).toEqual([...always, "help-text", "request"].toSorted());
  expect(stderr).toContain("NativeModule http\n");
  const large = [
    "internal/deps/undici/undici",
    "crypto",
    "fs/promises",
    "readline",
    "child_process",
    "tls",
    "worker_threads",
  ];
  expect(large.filter((name) => stderr.includes(`NativeModule ${name}\n`))).toEqual([]);
});

/** Returns the names of the files in `dist` that were loaded, without their hashes, sorted. */
function filesIn(loaded: string): readonly (string | undefined)[] {
  return [...loaded.matchAll(/\/dist\/(describe-old-node|[a-z-]+?)(-[\w-]{8})?\.cjs$/gm)]
    .map(([, name]) => name)
    .toSorted();
}
