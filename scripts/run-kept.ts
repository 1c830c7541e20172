import { fileURLToPath } from "node:url";
import { lacksProgram, programs } from "../packages/testing/src/lacks-program.ts";
import { runStep } from "./run-step.ts";

/** The keeper ends what tests started and removes what they wrote, however this process ends. Ctrl-C does not reach it. */
const keeper = fileURLToPath(new URL("./keep.ts", import.meta.url));

/** Runs Vitest as a step, under the keeper. */
export async function runKept(title: string, words: readonly string[]): Promise<void> {
  await runStep(title, process.execPath, [keeper, "vitest", "run", ...words], {
    detached: true,
    stdio: ["pipe", "inherit", "inherit"],
  });
}

/** Names the programs without which tests were skipped. */
export function printMissingPrograms(): void {
  const missing = programs.filter((name) => lacksProgram(name));
  if (missing.length > 0)
    console.log(`Some tests were skipped, because these programs are missing: ${missing.join(", ")}`);
}
