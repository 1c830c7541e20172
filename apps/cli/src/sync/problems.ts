import type { Place } from "../files/entry.ts";
import { formatOfPath } from "../files/formats.ts";
import type { FileProblem } from "../files/site/file-problem.ts";
import { withList } from "../output/lists.ts";
import { safeText } from "../output/safe-text.ts";
import type { Column } from "../output/view.ts";
import { CliError } from "../process/cli-error.ts";

/** What to do if there is no site file yet. */
export const howToStart = "To write one from your account, use `siteward export siteward.yaml`.";

/** Returns where an entry is in its file: "line 4". */
export function placeText({ unit, number }: Place): string {
  return `${unit} ${number}`;
}

/** Formats a problem on one line that is safe to print: "line 4: shop.example.com: email is …". */
export function problemText({ place, domain, problem }: FileProblem): string {
  return safeText(`${placeText(place)}: ${domain === undefined ? "" : `${domain}: `}${problem}`);
}

/** A problem of a site file, for programs. */
interface ProblemRecord {
  /** Such as "line 4". */
  readonly place: string;
  /** As the file states it; null if the problem is not that of one website. */
  readonly domain: string | null;
  readonly problem: string;
}

/** How problems are printed. */
export const problemView = {
  place: { title: "Place", inList: true },
  domain: { title: "Domain", inList: true },
  problem: { title: "Problem", inList: true },
} satisfies Record<keyof ProblemRecord, Column>;

/** Returns a problem as programs get it. */
export function toProblemRecord({ place, domain, problem }: FileProblem): ProblemRecord {
  return { place: placeText(place), domain: domain ?? null, problem };
}

/** Returns how many problems a file has: "siteward.yaml has 2 problems". */
export function countProblems(path: string, { length }: readonly FileProblem[]): string {
  return `${path === "-" ? "Standard input" : path} has ${length === 1 ? "1 problem" : `${length} problems`}`;
}

/** Returns the error for a site file with problems. `siteward check` prints all of them. */
export function fileError(path: string, problems: readonly FileProblem[]): CliError {
  return new CliError("input_refused", withList(`${countProblems(path, problems)}:`, problems.map(problemText)));
}

/** What only `import` reads, by the format that the extension of a file names. JSON is YAML too. */
const formatNames = { csv: "CSV", ndjson: "NDJSON" } as const;

/**
 * Refuses a file that only `import` reads: the first problem that a site file would have with it says nothing of that.
 *
 * @throws CliError `input_refused`
 */
export function refuseRows(path: string): void {
  const format = formatOfPath(path);
  if (format !== "csv" && format !== "ndjson") return;
  throw new CliError(
    "input_refused",
    `${path} is ${formatNames[format]}, and no site file, which is YAML.`,
    `To check it, use \`siteward import ${path} --dry-run\`. To import its websites, omit --dry-run.`,
  );
}
