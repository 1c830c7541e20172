import type { FileProblem } from "./file-problem.ts";

/** Places a problem in a line. */
export function problemAt(line: number, problem: string): FileProblem {
  return { place: { unit: "line", number: line }, problem };
}
