import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { install } from "./install.ts";
import { publishedPackages } from "./release/published-packages.ts";
import { runStep } from "./run-step.ts";

/**
 * `pnpm tarballs`: builds and packs each published package into `tarballs`, so that a project can install it from a clone. The names
 * of the files have no version, so that the lines of the READMEs stay right.
 */
await install();
await runStep("Building", "turbo", [
  "run",
  "build",
  ...publishedPackages.map((name) => `--filter=${name}`),
  "--output-logs=errors-only",
]);
for (const name of publishedPackages) {
  const file = `tarballs/${name.slice(1).replace("/", "-")}.tgz`;
  const commandLine = ["--filter", name, "pack", "--out", resolve(file)];
  execFileSync("pnpm", commandLine, { stdio: ["ignore", "ignore", "inherit"] });
  console.log(`✓ ${file}`);
}
