import { runStep } from "./run-step.ts";

/**
 * `pnpm bench [name…] [--option…]`: runs all benchmarks, or those that are named. Passes options to the benchmarks unchanged.
 */
const benchmarks: Readonly<Record<string, { filter: string; script: string }>> = {
  http: { filter: "@siteward/bench", script: "http" },
  mixed: { filter: "@siteward/bench", script: "mixed" },
  capacity: { filter: "@siteward/bench", script: "capacity" },
  cli: { filter: "@siteward/bench", script: "cli" },
  sdk: { filter: "@siteward/bench", script: "sdk" },
  storage: { filter: "@siteward/server", script: "bench:storage" },
};
const given = process.argv.slice(2);
const firstOption = given.findIndex((argument) => argument.startsWith("-"));
const names = firstOption === -1 ? given : given.slice(0, firstOption);
const options = given.slice(names.length);
const chosen = Object.entries(benchmarks).filter(([name]) => names.length === 0 || names.includes(name));
const unknown = names.find((name) => !Object.hasOwn(benchmarks, name));
if (unknown !== undefined) {
  console.error(
    `The benchmark ${JSON.stringify(unknown)} does not exist. ` +
      `The benchmarks are ${Object.keys(benchmarks).join(", ")}.`,
  );
  process.exit(2);
}
await runStep("Building", "turbo", ["run", "build", "--output-logs=errors-only"]);
for (const [name, { filter, script }] of chosen) {
  await runStep(`Measuring ${name}`, "pnpm", ["--silent", "--filter", filter, "run", script, ...options]);
}
