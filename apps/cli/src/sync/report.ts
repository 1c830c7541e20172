import { safeText } from "@siteward/start/safe-text";
import { firstLines } from "../output/lists.ts";
import type { Output } from "../output/output.ts";
import { CliError } from "../process/cli-error.ts";
import { type Io, writeText } from "../process/io.ts";
import { StoppedError } from "../process/stopped-error.ts";
import { evenIfUnread } from "../process/write-error.ts";
import { placeText } from "./problems.ts";
import { countOutcomes, isDone, isTaken, isWrong, type Result, toResultRecord } from "./result.ts";
import type { Run } from "./run.ts";
import { reasonOfError } from "./verdict.ts";

/** How many websites of a kind are printed for people. A program gets all of them. */
const maxShown = 50;

/** Prints what became of the websites. A run of none says nothing to people. */
export async function printRun(io: Io, run: Run, output: Output, summary: string): Promise<void> {
  if (!output.isText) await evenIfUnread(output.list(run.results.map(toResultRecord)));
  else if (run.results.length > 0) await evenIfUnread(writeText(io.stdout, `${describeRun(run)}${summary}\n`));
}

/** Says what went wrong and what was skipped: one line for each website, but one for all that exist. */
function describeRun({ results, stop, isInterrupted }: Run): string {
  const describe = ({ place, domain, outcome, reason = outcome }: Result): string => {
    // The error below says why: the requests that were sent at the same time meet the same one. Of an interruption it
    // says nothing.
    const isSaid = (outcome === "failed" || outcome === "unknown") && stop !== undefined && !isInterrupted;
    return [place && placeText(place), domain && safeText(domain), isSaid ? outcome : safeText(reason)]
      .filter((part) => part !== undefined)
      .join(": ");
  };
  const skipped = results.filter(({ outcome }) => outcome === "skipped");
  const repeated = skipped.filter(({ id }) => id === undefined);
  const existing = skipped.length - repeated.length;
  const updates = results.filter(({ outcome }) => outcome === "would_update");
  const lines = [results.filter(isWrong), repeated, updates].flatMap((some) => firstLines(some, maxShown, describe));
  if (existing > 0) {
    const exist =
      existing === 1 ? "1 website exists and is" : `${existing.toLocaleString("en-US")} websites exist and are`;
    lines.push(`${exist} skipped. To set what the file states, pass --on-conflict update.`);
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** Counts the outcomes in one line: "10,500 websites: 9,998 created, 2 skipped, 500 refused." */
export function summarizeRun({ results }: Run): string {
  const { length } = results;
  return `${length.toLocaleString("en-US")} ${length === 1 ? "website" : "websites"}: ${countOutcomes(results)}.`;
}

/** What the error of a run says of its command. */
interface Ending {
  /** How to do the rest, as a sentence. */
  readonly again: string;
  /** Whether the error names every website that is not done, as if none of them is printed. */
  readonly namesRest: boolean;
  /** The error if nothing stopped the run, and websites were refused: some of them, or all. */
  readonly refused?: (which: "some" | "all", counts: string) => CliError;
}

/**
 * Returns the error that a run ends with, which decides the exit code; undefined if every website is as it is to be. If
 * nothing was done, it is the error that ended the run.
 */
export function errorOfRun(run: Run, { again, namesRest, refused }: Ending): unknown {
  const { results, stop, isInterrupted } = run;
  if (!isInterrupted && results.every(isDone)) return undefined;
  const counts = countOutcomes(results);
  const isPartly = results.some((result) => isInAccount(result) || result.outcome === "unknown");
  const cause = (): unknown => {
    if (isInterrupted) return new CliError("interrupted", `Interrupted: ${counts}.`, again);
    if (stop === undefined) return refused?.(isPartly ? "some" : "all", counts);
    if (!isPartly) return stop.error;
    return new CliError("partly_done", `Stopped at ${stop.domain}: ${reasonOfError(stop.error)} (${counts})`, again);
  };
  if (!namesRest) return cause();
  const namesOf = (some: readonly Result[]): readonly string[] => some.map(({ domain = "" }) => domain);
  const unknown = namesOf(results.filter(({ outcome }) => outcome === "unknown"));
  const failed = namesOf(results.filter((result) => isWrong(result) && !isTaken(result)));
  const alsoFailed = failed.filter((domain) => domain !== stop?.domain && !unknown.includes(domain));
  return new StoppedError(cause(), {
    failed: unknown.includes(stop?.domain ?? "") ? undefined : stop?.domain,
    alsoFailed: alsoFailed.length === 0 ? undefined : alsoFailed,
    unknown: unknown.length === 0 ? undefined : unknown,
    existing: refused === undefined ? undefined : namesOf(results.filter(isTaken)),
    notTried: namesOf(results.filter(({ outcome }) => outcome === "not_tried")),
  });
}

/** Whether the website is in the account as it is to be. Not if it is in the file twice. */
function isInAccount(result: Result): boolean {
  return isDone(result) && (result.outcome !== "skipped" || result.id !== undefined);
}
