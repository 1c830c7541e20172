import { printTable } from "../../../scripts/print-table.ts";
import { commandLines } from "./cli/command-lines.ts";
import { measureCli } from "./cli/measure-cli.ts";
import { formatMs, formatRatio } from "./format.ts";
import { readOptions } from "./options.ts";

/** `pnpm bench cli`: compares what a command of the CLI costs, from start to end, with an empty Node script. */
const { rounds } = readOptions({ engines: [], rounds: 21, seconds: 1, websites: 1 });
const figures = await measureCli(rounds);
console.log(`\nProcessor time of a command, from start to end (medians of ${rounds} runs in turn)`);
printTable(
  ["Command", "CPU ms", "compared with empty", "at most", "ms"],
  figures.map(({ name, cpuMs, ratio, wallMs }) => {
    const { title, limit } = commandLines[name];
    return [title, formatMs(cpuMs), formatRatio(ratio), formatRatio(limit), formatMs(wallMs)];
  }),
);
