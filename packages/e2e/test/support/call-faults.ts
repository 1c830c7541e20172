import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine } from "@siteward/torture/command-line";
import { chooseBenchmarks } from "../../../../scripts/choose-benchmarks.ts";
import { commandFaults } from "./command-faults.ts";
import { repositoryRoot } from "./documented-pages.ts";
import type { Programs } from "./read-programs.ts";
import type { Call } from "./split-lines.ts";

/** The package files of the repository that tests of command lines read. */
interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

/** Programs of others, and `jq` and `curl`, whose lines run. */
const others = ["curl", "echo", "jq", "node", "sh", "openapi-typescript"];

/** The scripts of the repository that accept words. */
const checksOfScripts: Readonly<Record<string, (words: readonly string[]) => readonly string[]>> = {
  bench: benchFaults,
  torture: tortureFaults,
  test: testFaults,
};

const packages = globSync("{apps,packages}/*/package.json", { cwd: repositoryRoot }).map(readManifest);
const published = packages.filter((manifest) => manifest.private !== true);

/**
 * Returns what is wrong with a call: a command, a flag, a script or a package that does not exist.
 *
 * @param isWhole false if a sentence names it, and leaves out its arguments
 */
export function callFaults(programs: Programs, [program = "", ...words]: Call, isWhole: boolean): readonly string[] {
  if (program === "siteward" || program === "siteward-server") return commandFaults(programs[program], words, isWhole);
  if (program === "npx") return npxFaults(programs, words, isWhole);
  if (program === "npm") return npmFaults(words);
  if (program === "pnpm") return pnpmFaults(programs, words, isWhole);
  return others.includes(program) ? [] : [`The program ${program} is unknown.`];
}

/** `npx [-y] [-p package]… program word…`; a package has the name of its program's package. */
function npxFaults(programs: Programs, words: readonly string[], isWhole: boolean): readonly string[] {
  const [first = "", second = "", ...rest] = words;
  if (first === "-y") return npxFaults(programs, words.slice(1), isWhole);
  if (first === "-p") return npxFaults(programs, rest, isWhole);
  if (first.startsWith("-")) return [`npx has no flag ${first} here.`];
  if (!first.startsWith("@")) return callFaults(programs, words, isWhole);
  const [bin] = Object.keys(published.find(({ name }) => name === first)?.bin ?? {});
  if (bin === undefined) return [`No published package with a program is named ${first}.`];
  return callFaults(programs, second === "" ? [bin] : [bin, second, ...rest], isWhole);
}

function npmFaults([command, ...words]: readonly string[]): readonly string[] {
  if (command !== "install") return [`npm ${command} is no command of our pages.`];
  const unknown = words.filter((word) => word !== "--global" && !published.some(({ name }) => isOf(name, word)));
  return unknown.map((word) => `npm install has no flag ${word}, and no package or tarball is named so.`);
}

/** `pnpm tarballs` names the tarball of `@siteward/cli` siteward-cli.tgz. */
function isOf(name: string, word: string): boolean {
  const tarball = `tarballs/${name.replace("@", "").replace("/", "-")}.tgz`;
  return [name, `./${tarball}`, `../siteward/${tarball}`].includes(word);
}

function pnpmFaults(programs: Programs, words: readonly string[], isWhole: boolean): readonly string[] {
  const [script, ...rest] = words;
  if (script === undefined) return isWhole ? ["The script is missing."] : [];
  if (script === "--silent") return pnpmFaults(programs, rest, isWhole);
  if (script === "--filter") {
    const [name, filtered = "", ...more] = rest;
    const scripts = packages.find((manifest) => manifest.name === name)?.scripts ?? {};
    return filtered in scripts && more.length === 0 ? [] : [`No package ${name} has the script ${filtered}.`];
  }
  if (script === "siteward" || script === "siteward-server") return callFaults(programs, words, isWhole);
  if (readManifest("package.json").scripts?.[script] === undefined) return [`The script ${script} does not exist.`];
  const check = checksOfScripts[script] ?? (() => rest.map((word) => `pnpm ${script} has no word ${word}.`));
  return check(rest);
}

/** `pnpm test [part of a path]… [-u]` */
function testFaults(words: readonly string[]): readonly string[] {
  const files = globSync("{apps,packages,scripts}/**/*.test.ts", {
    cwd: repositoryRoot,
    exclude: (path) => path.endsWith("node_modules"),
  });
  const unknown = words.filter((word) => word !== "-u" && !files.some((file) => file.includes(word)));
  return unknown.map((word) => `No path of a test file contains ${word}.`);
}

function tortureFaults(words: readonly string[]): readonly string[] {
  return reasonOfThrow(() => readCommandLine(words, () => 7));
}

/** The benchmarks read their options themselves. */
function benchFaults(words: readonly string[]): readonly string[] {
  return reasonOfThrow(() => {
    const { chosen, options } = chooseBenchmarks(words);
    for (const [, { filter, script }] of chosen) {
      if (filter === "@siteward/bench") listParts(script, options);
      else if (options.length > 0) throw new Error(`Nothing checks the options of ${script}.`);
    }
  });
}

function listParts(script: string, options: readonly string[]): void {
  const program = join(repositoryRoot, `packages/bench/src/${script}.ts`);
  execFileSync(process.execPath, [program, ...options, "--list"], { stdio: "pipe" });
}

function reasonOfThrow(read: () => void): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    return [String(error)];
  }
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(join(repositoryRoot, path), "utf8"));
}
