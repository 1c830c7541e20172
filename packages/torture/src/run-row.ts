import { type AttackOptions, createAttack } from "./create-attack.ts";
import type { Outcome, Row } from "./row.ts";

/** An outcome and how long it took. */
export interface RunResult extends Outcome {
  readonly durationMs: number;
  /** Whether the row itself failed, so that its violations say nothing about the promise. */
  readonly hasFailed: boolean;
}

/** Runs a row on one engine, and ends everything that it started. A row that throws counts as a broken promise. */
export async function runRow(row: Row, options: AttackOptions): Promise<RunResult> {
  const startedAtMs = performance.now();
  await using started = new AsyncDisposableStack();
  try {
    const { figures, violations } = await row.run(createAttack(options, started));
    const all = { ...figures, violations: violations.length };
    return { figures: all, violations, durationMs: performance.now() - startedAtMs, hasFailed: false };
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const durationMs = performance.now() - startedAtMs;
    return { figures: {}, violations: [`The row failed: ${why}`], durationMs, hasFailed: true };
  }
}
