import { randomInt } from "node:crypto";
import { afterEach, expect } from "vitest";

/** Chooses what an attack does. The same seed gives the same choices. */
export const seed = Number(process.env["SEED"] ?? randomInt(2 ** 31));

/** Returns how many rounds an attack runs: the number in `ROUNDS`, or this one. */
export function rounds(defaultCount: number): number {
  return Number(process.env["ROUNDS"] ?? defaultCount);
}

/** Prints the figures of an attack in one line, for docs/reliability.md: `40 kills, restart p99 310 ms`. */
export function report(figures: Readonly<Record<string, number | string>>): void {
  const parts = Object.entries(figures).map(([name, value]) =>
    typeof value === "number" ? `${value.toLocaleString("en")} ${name}` : `${name} ${value}`,
  );
  console.log(`${expect.getState().currentTestName}: ${parts.join(", ")}`);
}

afterEach(({ task }) => {
  if (task.result?.state === "fail") console.error(`${task.name} failed with SEED=${seed}`);
});
