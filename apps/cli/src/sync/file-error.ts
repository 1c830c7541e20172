import { CliError } from "../errors/cli-error.ts";
import { safeText } from "../output/safe-text.ts";
import type { FileProblem } from "../site-file/file-problem.ts";
import { placeText } from "./place-text.ts";

/** What to do if there is no site file yet. */
export const howToStart = "To write one from your account, use `siteward export siteward.yaml`.";

/** How many problems a message lists. `siteward check` prints all of them. */
const maxListed = 20;

/** Returns the error for a site file with problems. */
export function fileError(path: string, problems: readonly FileProblem[]): CliError {
  const listed = problems.slice(0, maxListed).map((problem) => `  ${problemText(problem)}`);
  const rest = problems.length > maxListed ? [`  … and ${problems.length - maxListed} more`] : [];
  return new CliError("input_refused", [`${countProblems(path, problems)}:`, ...listed, ...rest].join("\n"));
}

/** Returns how many problems a file has: "siteward.yaml has 2 problems". */
export function countProblems(path: string, { length }: readonly FileProblem[]): string {
  return `${path === "-" ? "Standard input" : path} has ${length === 1 ? "1 problem" : `${length} problems`}`;
}

/** Formats a problem on one line that is safe to print: "line 4: shop.example.com: email is …". */
export function problemText({ place, domain, problem }: FileProblem): string {
  return safeText(`${placeText(place)}: ${domain === undefined ? "" : `${domain}: `}${problem}`);
}
