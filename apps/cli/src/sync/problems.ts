import { safeText } from "@siteward/start/safe-text";
import type { Place } from "../files/entry.ts";
import type { FileProblem } from "../files/site/file-problem.ts";
import { withList } from "../output/lists.ts";
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

/** How problems are printed. */
export const problemView = {
  place: { title: "Place", inList: true },
  domain: { title: "Domain", inList: true },
  problem: { title: "Problem", inList: true },
} satisfies Record<keyof ReturnType<typeof toProblemRecord>, Column>;

/** Returns a problem as programs get it. Its domain is null if it is not that of one website. */
export function toProblemRecord({ place, domain, problem }: FileProblem) {
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
