import { printTable } from "../../../scripts/print-table.ts";
import { commandLineNames, commandLines } from "./cli/command-lines.ts";
import { measureCli } from "./cli/measure-cli.ts";
import { formatMs, formatRatio } from "./format.ts";
import { runBenchmark } from "./run-benchmark.ts";

/** `pnpm bench cli`: compares what a command of the CLI costs, from start to end, with an empty Node script and bare requests. */
await runBenchmark({ engines: [], only: commandLineNames, rounds: 21, seconds: 1, websites: 1 }, async (options) => {
  const figures = await measureCli(options);
  console.log(`\nProcessor time of a command, from start to end (medians of ${options.rounds} runs in turn)`);
  printTable(
    ["Command", "CPU ms", "compared with empty", "at most", "ms"],
    figures.map(({ name, cpuMs, ratio, wallMs }) => {
      const line = commandLines[name];
      const limit = "limit" in line ? formatRatio(line.limit) : "";
      return [line.title, formatMs(cpuMs), formatRatio(ratio), limit, formatMs(wallMs)];
    }),
  );
});
