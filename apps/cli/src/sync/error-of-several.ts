import { CliError } from "../errors/cli-error.ts";
import { StoppedError } from "../errors/stopped-error.ts";
import { reasonOfError } from "../websites/reason-of-error.ts";
import { errorOfRun } from "./error-of-run.ts";
import { countOutcomes, type Result } from "./result.ts";
import type { Run } from "./run-all.ts";

/** What the error of a run says of its command. */
interface Command {
  /** How to do the rest, as a sentence. */
  readonly howToRepeat: string;
  /** The names of the websites that were to be created and exist already; undefined if none was to be created. */
  readonly existing?: readonly string[];
}

/**
 * Returns the error that a run of several websites of a command line ends with; undefined if everything is done. It names
 * every website that is not done.
 */
export function errorOfSeveral(run: Run, { howToRepeat, existing }: Command): unknown {
  const { results, stop } = run;
  const rest = {
    failed: stop?.domain,
    existing,
    notTried: results.filter(({ outcome }) => outcome === "not_tried").map(nameOf),
  };
  const counts = describeCounts(results, existing);
  const next = existing === undefined ? howToRepeat : `${howToRepeat} ${changeExisting}`;
  return errorOfRun(run, {
    interrupted: () => new StoppedError(new CliError("interrupted", `Interrupted: ${counts}.`, next), rest),
    nothingDone: () => new StoppedError(stop === undefined ? allExist() : stop.error, rest),
    partlyDone: () => {
      const cause =
        stop === undefined
          ? new CliError("partly_done", `Some of the websites exist already (${counts}).`, changeExisting)
          : new CliError("partly_done", `Stopped at ${stop.domain}: ${reasonOfError(stop.error)} (${counts})`, next);
      return new StoppedError(cause, rest);
    },
  });
}

const changeExisting = "To change websites that exist, use `siteward websites update`.";

function allExist(): CliError {
  return new CliError("already_exists", "Nothing was created: these websites exist already.", changeExisting);
}

function nameOf({ domain = "" }: Result): string {
  return domain;
}

/** Counts the outcomes, and apart from them the websites that exist: "3 created, 5 not tried, 1 already there". */
function describeCounts(results: readonly Result[], existing: readonly string[] = []): string {
  const exist = new Set(existing);
  const others = countOutcomes(results.filter((result) => !exist.has(nameOf(result))));
  return [others, exist.size === 0 ? "" : `${exist.size} already there`].filter(Boolean).join(", ");
}
