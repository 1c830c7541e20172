import { CliError } from "../errors/cli-error.ts";
import { StoppedError } from "../errors/stopped-error.ts";
import { safeText } from "../output/safe-text.ts";
import type { ChangeResult } from "./apply-plan.ts";
import { type ApplyOutcome, type ApplyRecord, applyOutcomes, toApplyRecord } from "./apply-record.ts";

/** Formats what became of a plan for people: what went wrong, and a summary. A plan without changes has said all. */
export function reportApply(results: readonly ChangeResult[]): string {
  if (results.length === 0) return "";
  const records = results.map(toApplyRecord);
  const wrong = records.filter(({ outcome }) => outcome === "refused" || outcome === "failed");
  const lines = wrong.map(({ domain, outcome, reason }) => safeText(`${domain}: ${outcome}: ${reason}`));
  return `${[...lines, `${summarizeApply(records)}.`].join("\n")}\n`;
}

/** Counts the outcomes: "3 created, 1 refused, 5 not tried". */
function summarizeApply(records: readonly ApplyRecord[]): string {
  // Object.keys returns strings. These are the names of the outcomes.
  const names = Object.keys(applyOutcomes) as ApplyOutcome[];
  const counts = names.flatMap((name) => {
    const count = records.filter(({ outcome }) => outcome === name).length;
    return count === 0 ? [] : [`${count} ${applyOutcomes[name]}`];
  });
  return counts.join(", ");
}

/** Returns the error that an apply ends with, which decides the exit code; undefined if everything is done. */
export function errorOfApply(results: readonly ChangeResult[], isInterrupted: boolean): unknown {
  const records = results.map(toApplyRecord);
  const summary = summarizeApply(records);
  if (isInterrupted) return new CliError("interrupted", `Interrupted: ${summary}.`, runAgain);
  const failed = results.find((result) => "error" in result);
  if (failed === undefined) return undefined;
  const { error, change } = failed;
  if (results.some((result) => "done" in result)) {
    const reason = toApplyRecord(failed).reason ?? "";
    return new CliError("partly_done", `Stopped at ${change.domain}: ${reason} (${summary})`, runAgain);
  }
  const notTried = results.filter((result) => !("error" in result)).map((result) => result.change.domain);
  return new StoppedError(error, change.domain, notTried);
}

const runAgain = "Run the command again to see and do the rest. What is done is not done again.";
