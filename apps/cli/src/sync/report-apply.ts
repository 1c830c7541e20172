import { CliError } from "../errors/cli-error.ts";
import { StoppedError } from "../errors/stopped-error.ts";
import { safeText } from "../output/safe-text.ts";
import { reasonOfError } from "../websites/reason-of-error.ts";
import { errorOfRun } from "./error-of-run.ts";
import { countOutcomes, isWrong } from "./result.ts";
import type { Run } from "./run-all.ts";
import { whenToRepeat } from "./when-to-repeat.ts";
import { withoutSaidReasons } from "./without-said-reasons.ts";

/** Formats what became of a plan for people: what went wrong, and a summary. A plan without changes has said all. */
export function reportApply(run: Run): string {
  const results = withoutSaidReasons(run);
  if (results.length === 0) return "";
  const lines = results.filter(isWrong).map(({ domain, outcome, reason = [] }) => {
    return safeText([domain, outcome, reason].flat().join(": "));
  });
  return `${[...lines, `${countOutcomes(results)}.`].join("\n")}\n`;
}

/** Returns the error that an apply ends with; undefined if everything is done. */
export function errorOfApply(run: Run): unknown {
  const { results } = run;
  const summary = countOutcomes(results);
  const runAgain = `Run the command again${whenToRepeat(run.stop?.error)} to see and do the rest. ${kept}`;
  const failed = results.flatMap((result) => (isWrong(result) ? [result.domain ?? ""] : []));
  const others = failed.filter((domain) => domain !== run.stop?.domain);
  return errorOfRun(run, {
    interrupted: () => new CliError("interrupted", `Interrupted: ${summary}.`, runAgain),
    nothingDone: (stop) => {
      const notTried = results.flatMap(({ outcome, domain = "" }) => (outcome === "not_tried" ? [domain] : []));
      const alsoFailed = others.length === 0 ? undefined : others;
      return new StoppedError(stop?.error, { failed: stop?.domain, alsoFailed, notTried });
    },
    // If something is not done, it is because the run stopped.
    partlyDone: (stop) => {
      const andOthers = others.length === 0 ? "" : ` and ${others.length} more`;
      const message = `Stopped at ${stop?.domain}${andOthers}: ${reasonOfError(stop?.error)} (${summary})`;
      return new CliError("partly_done", message, runAgain);
    },
  });
}

const kept = "What is done is not done again.";
