import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cliBin } from "./support/built-server.ts";

/** Prints which files of the package were loaded. */
const listFiles = `import module from "node:module";
  process.on("exit", () => console.error(Object.keys(module._cache).join("\\n")));`;
const preload = `--import=data:text/javascript,${encodeURIComponent(listFiles)}`;

test.for([["--help"], ["help"], ["websites", "--help"], ["websites", "get", "-h"], ["help", "websites", "list"]])(
  "siteward %s: the built help is that of the sources, and loads no command",
  (commandLine) => {
    const env = { ...process.env, COLUMNS: "60" };
    const built = spawnSync(process.execPath, [preload, cliBin, ...commandLine], { env, encoding: "utf8" });
    const source = spawnSync(process.execPath, [join(cliBin, "../../src/bin.ts"), ...commandLine], {
      env,
      encoding: "utf8",
    });
    expect({ status: built.status, stdout: built.stdout }).toEqual({ status: 0, stdout: source.stdout });
    expect(built.stdout).toContain("Usage: siteward ");
    const files = [...built.stderr.matchAll(/\/dist\/([a-z-]+)-[\w-]{8}\.cjs$|\/dist\/([a-z-]+)\.cjs$/gm)];
    expect(files.map(([, chunk, entry]) => chunk ?? entry)).toContain("built-help");
    expect(files.map(([, chunk, entry]) => chunk ?? entry)).not.toContain("main");
  },
);
