import { install } from "./install.ts";
import { runStep } from "./run-step.ts";

const benchmarks = ["http", "mixed", "cli", "edge"];

/** `pnpm bench [name…] [--option…]`: runs all benchmarks, or those that are named. Passes options to the benchmarks unchanged. */
const words = process.argv.slice(2);
const firstOption = words.findIndex((word) => word.startsWith("-"));
const names = firstOption === -1 ? words : words.slice(0, firstOption);
const unknown = names.find((name) => !benchmarks.includes(name));
if (unknown !== undefined) {
  console.error(
    `The benchmark ${JSON.stringify(unknown)} does not exist. The benchmarks are ${benchmarks.join(", ")}.`,
  );
  process.exit(2);
}
await install();
await runStep("Building", "turbo", ["run", "build", "--output-logs=errors-only"]);
for (const name of benchmarks) {
  if (names.length > 0 && !names.includes(name)) continue;
  const command = ["--silent", "--filter", "@siteward/bench", "run", name, ...words.slice(names.length)];
  await runStep(`Measuring ${name}`, "pnpm", command);
}
