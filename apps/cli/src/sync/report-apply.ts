import { CliError } from "../errors/cli-error.ts";
import { StoppedError } from "../errors/stopped-error.ts";
import { safeText } from "../output/safe-text.ts";
import { reasonOfError } from "../websites/reason-of-error.ts";
import { errorOfRun } from "./error-of-run.ts";
import { countOutcomes, isWrong, type Result } from "./result.ts";
import type { Run } from "./run-all.ts";

/** Formats what became of a plan for people: what went wrong, and a summary. A plan without changes has said all. */
export function reportApply(results: readonly Result[]): string {
  if (results.length === 0) return "";
  const wrong = results.filter(isWrong);
  const lines = wrong.map(({ domain, outcome, reason }) => safeText(`${domain}: ${outcome}: ${reason}`));
  return `${[...lines, `${countOutcomes(results)}.`].join("\n")}\n`;
}

/** Returns the error that an apply ends with; undefined if everything is done. */
export function errorOfApply(run: Run): unknown {
  const { results } = run;
  const summary = countOutcomes(results);
  return errorOfRun(run, {
    interrupted: () => new CliError("interrupted", `Interrupted: ${summary}.`, runAgain),
    nothingDone: (stop) => {
      const notTried = results.flatMap(({ outcome, domain = "" }) => (outcome === "not_tried" ? [domain] : []));
      return new StoppedError(stop?.error, { failed: stop?.domain, notTried });
    },
    // If something is not done, it is because the run stopped.
    partlyDone: (stop) => {
      const message = `Stopped at ${stop?.domain}: ${reasonOfError(stop?.error)} (${summary})`;
      return new CliError("partly_done", message, runAgain);
    },
  });
}

const runAgain = "Run the command again to see and do the rest. What is done is not done again.";
