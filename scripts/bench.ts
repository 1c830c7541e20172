import { type ChosenBenchmarks, chooseBenchmarks } from "./choose-benchmarks.ts";
import { runStep } from "./run-step.ts";

/**
 * `pnpm bench [name…] [--option…]`: runs all benchmarks, or those that are named. Passes options to the benchmarks unchanged.
 * With `--list`, they print the names of their parts, for `--only`, and measure nothing.
 */
const { chosen, options } = chooseOrExplain();
await runStep("Building", "turbo", ["run", "build", "--output-logs=errors-only"]);
for (const [name, { filter, script }] of chosen) {
  await runStep(`Measuring ${name}`, "pnpm", ["--silent", "--filter", filter, "run", script, ...options]);
}

function chooseOrExplain(): ChosenBenchmarks {
  try {
    return chooseBenchmarks(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}
