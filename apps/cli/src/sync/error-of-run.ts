import { isDone, type Result } from "./result.ts";
import type { Run, Stop } from "./run-all.ts";

/** The errors that a command ends with, in its own words. */
interface Endings {
  readonly interrupted: () => unknown;
  /** No website is in the account as the file wants it. */
  readonly nothingDone: (stop: Stop | undefined) => unknown;
  /** Some are, and some are not. */
  readonly partlyDone: (stop: Stop | undefined) => unknown;
}

/**
 * Returns the error that a run ends with, which decides the exit code; undefined if the account is as the file wants
 * it.
 */
export function errorOfRun({ results, stop, isInterrupted }: Run, endings: Endings): unknown {
  if (isInterrupted) return endings.interrupted();
  if (results.every(isDone)) return undefined;
  return results.some(isInAccount) ? endings.partlyDone(stop) : endings.nothingDone(stop);
}

/**
 * Whether the website is in the account as the file wants it, or would be. One that is in the file twice says nothing
 * of that.
 */
function isInAccount(result: Result): boolean {
  return isDone(result) && (result.outcome !== "skipped" || result.id !== undefined);
}
