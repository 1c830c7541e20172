import { install } from "./install.ts";
import { runStep } from "./run-step.ts";

/** The package of each benchmark, and its script there. */
const benchmarks: Readonly<Record<string, readonly [filter: string, script: string]>> = {
  http: ["@siteward/bench", "http"],
  mixed: ["@siteward/bench", "mixed"],
  cli: ["@siteward/bench", "cli"],
  rules: ["@siteward/bench", "rules"],
  sdk: ["@siteward/bench", "sdk"],
  storage: ["@siteward/server", "bench:storage"],
};

/** `pnpm bench [name…] [--option…]`: runs all benchmarks, or those that are named. Passes options to the benchmarks unchanged. */
const words = process.argv.slice(2);
const firstOption = words.findIndex((word) => word.startsWith("-"));
const names = firstOption === -1 ? words : words.slice(0, firstOption);
const unknown = names.find((name) => !Object.hasOwn(benchmarks, name));
if (unknown !== undefined) {
  console.error(
    `The benchmark ${JSON.stringify(unknown)} does not exist. The benchmarks are ${Object.keys(benchmarks).join(", ")}.`,
  );
  process.exit(2);
}
await install();
await runStep("Building", "turbo", ["run", "build", "--output-logs=errors-only"]);
for (const [name, [filter, script]] of Object.entries(benchmarks)) {
  if (names.length > 0 && !names.includes(name)) continue;
  await runStep(`Measuring ${name}`, "pnpm", [
    "--silent",
    "--filter",
    filter,
    "run",
    script,
    ...words.slice(names.length),
  ]);
}
