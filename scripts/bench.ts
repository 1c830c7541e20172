import { runStep } from "./run-step.ts";

/** `pnpm bench [name]`: every benchmark, or one. */
const benchmarks = ["http", "cli"] as const;
const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !benchmarks.some((known) => known === name));
if (unknown !== undefined) {
  console.error(`There is no benchmark ${JSON.stringify(unknown)}; there are ${benchmarks.join(", ")}.`);
  process.exit(2);
}
runStep("Building", "turbo", ["run", "build", "--output-logs=errors-only"]);
for (const name of chosen.length > 0 ? chosen : benchmarks) {
  runStep(`Measuring ${name}`, "pnpm", ["--silent", "--filter", "@siteward/bench", "run", name]);
}
