import { printTable } from "../../../scripts/print-table.ts";
import { formatCount, formatRatio } from "./format.ts";
import { measureRules, partNames } from "./rules/measure-rules.ts";
import { runBenchmark } from "./run-benchmark.ts";

/** `pnpm bench rules`: compares compiled rules with `net.BlockList` and with a loop over the entries of a website. */
await runBenchmark({ engines: [], only: partNames, rounds: 15, seconds: 0.2, websites: 1 }, async (options) => {
  console.log(
    `Processor time of one call, medians of ${options.rounds} rounds of ${options.seconds} s in turn, on one core`,
  );
  const figures = await measureRules(options);
  const [first] = figures;
  printTable(
    ["Call", "µs", "calls/s", "compared with rules"],
    figures.map(({ title, microseconds, reference }) => [
      title,
      microseconds.toFixed(2),
      formatCount(1e6 / microseconds),
      first === undefined || !reference ? "" : formatRatio(microseconds / first.microseconds),
    ]),
  );
});
