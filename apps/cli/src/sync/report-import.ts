import { CliError } from "../errors/cli-error.ts";
import { firstLines } from "../output/first-lines.ts";
import { safeText } from "../output/safe-text.ts";
import { errorOfRun } from "./error-of-run.ts";
import { placeText } from "./place-text.ts";
import type { OnConflict } from "./policy.ts";
import { countOutcomes, isWrong, type Result } from "./result.ts";
import type { Run } from "./run-all.ts";
import type { ImportMode } from "./run-import.ts";
import { whenToRepeat } from "./when-to-repeat.ts";
import { withoutSaidReasons } from "./without-said-reasons.ts";

/** How many websites of a kind are printed for people. A program gets all of them. */
const maxShown = 50;

/** Counts the outcomes in one line: "10,500 websites: 9,998 created, 2 skipped, 500 refused." */
export function summarizeImport(results: readonly Result[]): string {
  const { length } = results;
  return `${format(length)} ${length === 1 ? "website" : "websites"}: ${countOutcomes(results, format)}.`;
}

/** Formats for people what went wrong and what was skipped: one line for each website, but one for all that exist. */
export function reportImport(run: Run): string {
  const results = withoutSaidReasons(run);
  const skipped = results.filter(({ outcome }) => outcome === "skipped");
  const repeated = skipped.filter(({ id }) => id === undefined);
  const existing = skipped.length - repeated.length;
  const lines = [results.filter(isWrong), repeated].flatMap((some) => firstLines(some, maxShown, describeResult));
  if (existing > 0) {
    const exist = existing === 1 ? "1 website exists and is" : `${format(existing)} websites exist and are`;
    lines.push(`${exist} skipped. To change what exists, pass --on-conflict update.`);
  }
  return lines.map((line) => `${line}\n`).join("");
}

function describeResult({ place, domain, outcome, reason = outcome }: Result): string {
  return [place && placeText(place), domain && safeText(domain), safeText(reason)]
    .filter((part) => part !== undefined)
    .join(": ");
}

function format(count: number): string {
  return count.toLocaleString("en-US");
}

/**
 * Returns the error that an import ends with; undefined if every website is in the account as the file wants it.
 *
 * @param summary added to the messages; empty if it was printed before
 */
export function errorOfImport(
  run: Run,
  { onConflict, isDryRun }: Pick<ImportMode, "onConflict" | "isDryRun">,
  summary: string,
): unknown {
  const say = (message: string): string => `${message} ${summary}`.trimEnd();
  const command = onConflict === "fail" ? "the same command again with --on-conflict skip" : "the same command again";
  const again = `${command}${whenToRepeat(run.stop?.error)}: what is imported is not repeated.`;
  return errorOfRun(run, {
    interrupted: () => new CliError("interrupted", say("Interrupted."), `Run ${again}`),
    nothingDone: (stop) => (stop === undefined ? errorOfNothing(run.results, onConflict, say) : stop.error),
    partlyDone: (stop) => {
      if (stop !== undefined) {
        return new CliError("partly_done", say(`The import stopped: ${messageOf(stop.error)}`), `Run ${again}`);
      }
      return isDryRun
        ? new CliError("partly_done", say("Some websites would not be imported."), `${fix}.`)
        : new CliError("partly_done", say("Some websites were not imported."), `${fix}, then run ${again}`);
    },
  });
}

const fix = "Fix the lines that were refused";

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function errorOfNothing(
  results: readonly Result[],
  onConflict: OnConflict,
  say: (message: string) => string,
): CliError {
  if (onConflict !== "fail" || results.every(({ id }) => id === undefined)) {
    return new CliError("input_refused", say("No website was imported."), `${fix}.`);
  }
  const next = "Nothing was changed. To accept that they exist, pass --on-conflict skip or update.";
  return new CliError("already_exists", say("Some of the websites exist."), next);
}
