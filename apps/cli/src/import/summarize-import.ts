import { CliError } from "../errors/cli-error.ts";
import { safeText } from "../output/safe-text.ts";
import type { OnConflict } from "./decide-import.ts";
import type { ImportResult } from "./import-result.ts";
import { isDone, type Outcome, outcomes } from "./outcome.ts";
import type { ImportMode, ImportRun } from "./run-import.ts";

/** How many websites that went wrong are printed for people. A program gets all of them. */
const maxShown = 50;

/** Counts the outcomes in one line: "10,500 websites: 9,998 created, 2 skipped, 500 refused." */
export function summarize(results: readonly ImportResult[]): string {
  const counts = countOutcomes(results);
  // Object.keys returns strings. These are the names of the outcomes.
  const parts = (Object.keys(outcomes) as Outcome[]).flatMap((outcome) => {
    const count = counts.get(outcome);
    return count === undefined ? [] : [`${format(count)} ${outcomes[outcome]}`];
  });
  return `${format(results.length)} ${results.length === 1 ? "website" : "websites"}: ${parts.join(", ")}.`;
}

/** Formats for people what went wrong, and the summary. */
export function reportImport(results: readonly ImportResult[]): string {
  const wrong = results.filter(({ outcome }) => outcome === "refused" || outcome === "failed");
  const lines = wrong.slice(0, maxShown).map(describeResult);
  if (wrong.length > maxShown) lines.push(`and ${format(wrong.length - maxShown)} more`);
  return `${[...lines, summarize(results)].join("\n")}\n`;
}

function describeResult({ place, domain, reason = "" }: ImportResult): string {
  const name = domain === undefined ? "" : `${safeText(domain)}: `;
  return `${place.unit} ${place.number}: ${name}${safeText(reason)}`;
}

/**
 * Returns the error that an import ends with, which decides the exit code; undefined if every website is in the account as the file
 * wants it.
 */
export function errorOfImport(
  { results, stop, isInterrupted }: ImportRun,
  { onConflict, isDryRun }: Pick<ImportMode, "onConflict" | "isDryRun">,
): unknown {
  const summary = summarize(results);
  const isComplete = results.every(({ outcome }) => isDone(outcome));
  if (isInterrupted)
    return new CliError("interrupted", `Interrupted. ${summary}`, isComplete ? undefined : runAgain(onConflict));
  if (isComplete) return undefined;
  if (results.some(isInAccount))
    return new CliError("partly_done", partlyDone(summary, stop), isDryRun ? `${fix}.` : adviceOf(stop, onConflict));
  if (stop !== undefined) return stop;
  if (onConflict === "fail" && results.some(({ id }) => id !== undefined)) {
    return new CliError("already_exists", `Some of the websites exist. ${summary}`, chooseConflict);
  }
  return new CliError("input_refused", `No website was imported. ${summary}`, `${fix}.`);
}

/** Whether the website is in the account as the file wants it, or would be. One that is in the file twice says nothing of that. */
function isInAccount({ outcome, id }: ImportResult): boolean {
  return isDone(outcome) && (outcome !== "skipped" || id !== undefined);
}

const fix = "Fix the lines that were refused";
const chooseConflict = "Nothing was changed. To accept that they exist, pass --on-conflict skip or update.";

function adviceOf(stop: unknown, onConflict: OnConflict): string {
  const again = runAgain(onConflict);
  return stop === undefined ? `${fix}, then ${again.charAt(0).toLowerCase()}${again.slice(1)}` : again;
}

function runAgain(onConflict: OnConflict): string {
  const change = onConflict === "fail" ? " with --on-conflict skip" : "";
  return `Run the same command again${change}: what is imported is not repeated.`;
}

function partlyDone(summary: string, stop: unknown): string {
  if (stop === undefined) return `Some websites were not imported. ${summary}`;
  return `The import stopped: ${stop instanceof Error ? stop.message : String(stop)} ${summary}`;
}

function countOutcomes(results: readonly ImportResult[]): ReadonlyMap<Outcome, number> {
  const counts = new Map<Outcome, number>();
  for (const { outcome } of results) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return counts;
}

function format(count: number): string {
  return count.toLocaleString("en-US");
}
