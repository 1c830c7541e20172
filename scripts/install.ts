import { runStep } from "./run-step.ts";

/**
 * Installs what is missing or out of date.
 *
 * @param packages of which nothing else is installed, with what they depend on. Default: all. What is installed already stays.
 */
export async function install(...packages: readonly string[]): Promise<void> {
  const filters = packages.map((name) => `--filter=${name}...`);
  await runStep("Installing", "pnpm", ["install", "--frozen-lockfile", "--loglevel=error", ...filters]);
}
