import { CliError } from "../errors/cli-error.ts";
import { StoppedError } from "../errors/stopped-error.ts";
import { reasonOfError } from "../websites/reason-of-error.ts";
import { errorOfRun } from "./error-of-run.ts";
import { countOutcomes } from "./result.ts";
import type { Run } from "./run-all.ts";

/** What the error of a run says in the words of its command. */
interface Words {
  /** How to do the rest, as a sentence. */
  readonly next: string;
  /** The error if nothing was done because every website exists already. */
  readonly allExist?: CliError;
}

/**
 * Returns the error that a run of named websites ends with; undefined if everything is done. It names every website
 * that is not done.
 */
export function errorOfNamed(run: Run, { next, allExist }: Words): unknown {
  const { results, stop } = run;
  const summary = countOutcomes(results);
  const rest = {
    failed: stop?.domain,
    existing: allExist && results.flatMap(({ domain = "", reason }) => (reason === "exists" ? [domain] : [])),
    notTried: results.flatMap(({ domain = "", outcome }) => (outcome === "not_tried" ? [domain] : [])),
  };
  const partly =
    stop === undefined
      ? "Some of the websites exist already"
      : `Stopped at ${stop.domain}: ${reasonOfError(stop.error)}`;
  return errorOfRun(run, {
    interrupted: () => new StoppedError(new CliError("interrupted", `Interrupted: ${summary}.`, next), rest),
    nothingDone: () => new StoppedError(stop === undefined ? allExist : stop.error, rest),
    partlyDone: () => new StoppedError(new CliError("partly_done", `${partly} (${summary})`, next), rest),
  });
}
