import { CliError } from "../errors/cli-error.ts";
import { StoppedError } from "../errors/stopped-error.ts";
import { reasonOfError } from "../websites/reason-of-error.ts";
import { errorOfRun } from "./error-of-run.ts";
import { countOutcomes, type Result } from "./result.ts";
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
  const exists = ({ reason }: Result): boolean => reason === "exists";
  const existing = results.filter(exists);
  const rest = {
    failed: stop?.domain,
    existing: allExist && existing.map(nameOf),
    notTried: results.filter(({ outcome }) => outcome === "not_tried").map(nameOf),
  };
  const counts = [
    countOutcomes(results.filter((result) => !exists(result))),
    ...(existing.length > 0 ? [`${existing.length} already there`] : []),
  ].join(", ");
  return errorOfRun(run, {
    interrupted: () => new StoppedError(new CliError("interrupted", `Interrupted: ${counts}.`, next), rest),
    nothingDone: () => new StoppedError(stop === undefined ? allExist : stop.error, rest),
    partlyDone: () => {
      const [message, advice] =
        stop === undefined
          ? ["Some of the websites exist already", allExist?.next]
          : [`Stopped at ${stop.domain}: ${reasonOfError(stop.error)}`, next];
      return new StoppedError(new CliError("partly_done", `${message} (${counts})`, advice), rest);
    },
  });
}

function nameOf({ domain = "" }: Result): string {
  return domain;
}
