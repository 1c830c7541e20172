import { CliError } from "../errors/cli-error.ts";
import { safeText } from "../output/safe-text.ts";
import { withList } from "../output/with-list.ts";
import type { FileProblem } from "../site-file/file-problem.ts";
import { placeText } from "./place-text.ts";

/** What to do if there is no site file yet. */
export const howToStart = "To write one from your account, use `siteward export siteward.yaml`.";

/** Returns the error for a site file with problems. `siteward check` prints all of them. */
export function fileError(path: string, problems: readonly FileProblem[]): CliError {
  return new CliError("input_refused", withList(`${countProblems(path, problems)}:`, problems.map(problemText)));
}

/** Returns how many problems a file has: "siteward.yaml has 2 problems". */
export function countProblems(path: string, { length }: readonly FileProblem[]): string {
  return `${path === "-" ? "Standard input" : path} has ${length === 1 ? "1 problem" : `${length} problems`}`;
}

/** Formats a problem on one line that is safe to print: "line 4: shop.example.com: email is …". */
export function problemText({ place, domain, problem }: FileProblem): string {
  return safeText(`${placeText(place)}: ${domain === undefined ? "" : `${domain}: `}${problem}`);
}
