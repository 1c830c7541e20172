import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { median } from "../../../scripts/median.ts";
import { printTable } from "../../../scripts/print-table.ts";

const runs = 21;
const cliPackage = createRequire(import.meta.url).resolve("@siteward/cli/package.json");
const cliBin = join(cliPackage, "../bin/siteward.js");

/** Measures how long a command takes to start, compared with a Node script that does nothing. Both run in turn. */
const commandLines = {
  "empty Node script": ["--eval", ""],
  "siteward --version": [cliBin, "--version"],
  "siteward --help": [cliBin, "--help"],
  "siteward websites list --help": [cliBin, "websites", "list", "--help"],
};

const timesMs = new Map<string, number[]>(Object.keys(commandLines).map((name) => [name, []]));
for (let run = 0; run < runs; run += 1) {
  for (const [name, commandLine] of Object.entries(commandLines)) timesMs.get(name)?.push(timeMs(commandLine));
}
console.log(`\nStart of a command (median of ${runs} runs)`);
printTable(
  ["ms"],
  [...timesMs].map(([name, values]) => [name, Number(median(values).toFixed(1))]),
);

function timeMs(commandLine: readonly string[]): number {
  const startedAtMs = performance.now();
  const { status } = spawnSync(process.execPath, commandLine, { stdio: "ignore" });
  if (status !== 0) throw new Error(`${commandLine.join(" ")} ended with ${status}.`);
  return performance.now() - startedAtMs;
}
