import { CliError } from "../errors/cli-error.ts";
import type { OnConflict } from "./decide-import.ts";
import type { ImportResult } from "./import-result.ts";
import { isDone } from "./outcome.ts";
import type { ImportMode, ImportRun } from "./run-import.ts";

/**
 * Returns the error that an import ends with, which decides the exit code; undefined if every website is in the account as the file
 * wants it.
 *
 * @param summary added to the messages; empty if it was printed before
 */
export function errorOfImport(
  { results, stop, isInterrupted }: ImportRun,
  { onConflict, isDryRun }: Pick<ImportMode, "onConflict" | "isDryRun">,
  summary: string,
): unknown {
  const say = (message: string): string => `${message} ${summary}`.trimEnd();
  const command = onConflict === "fail" ? "the same command again with --on-conflict skip" : "the same command again";
  const again = `${command}: what is imported is not repeated.`;
  if (isInterrupted) return new CliError("interrupted", say("Interrupted."), `Run ${again}`);
  if (results.every(({ outcome }) => isDone(outcome))) return undefined;
  if (!results.some(isInAccount)) return stop ?? errorOfNothing(results, onConflict, say);
  if (stop !== undefined) {
    const message = stop instanceof Error ? stop.message : String(stop);
    return new CliError("partly_done", say(`The import stopped: ${message}`), `Run ${again}`);
  }
  return isDryRun
    ? new CliError("partly_done", say("Some websites would not be imported."), `${fix}.`)
    : new CliError("partly_done", say("Some websites were not imported."), `${fix}, then run ${again}`);
}

const fix = "Fix the lines that were refused";

/** Whether the website is in the account as the file wants it, or would be. One that is in the file twice says nothing of that. */
function isInAccount({ outcome, id }: ImportResult): boolean {
  return isDone(outcome) && (outcome !== "skipped" || id !== undefined);
}

function errorOfNothing(
  results: readonly ImportResult[],
  onConflict: OnConflict,
  say: (message: string) => string,
): CliError {
  if (onConflict !== "fail" || results.every(({ id }) => id === undefined)) {
    return new CliError("input_refused", say("No website was imported."), `${fix}.`);
  }
  const next = "Nothing was changed. To accept that they exist, pass --on-conflict skip or update.";
  return new CliError("already_exists", say("Some of the websites exist."), next);
}
