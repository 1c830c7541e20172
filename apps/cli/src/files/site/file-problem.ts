import type { Place } from "../entry.ts";

/** After so many problems of a file, only the first one of each website is listed. */
export const maxProblems = 1_000;

/** Returns how many problems of the next website are listed; undefined if it is as for every one. */
export function maxOfEach(listed: number): number | undefined {
  return listed < maxProblems ? undefined : 1;
}

/** What is wrong with a site file, and where. */
export interface FileProblem {
  readonly place: Place;
  /**
   * Where the website with the problem is listed; undefined if it is a problem of the entire file, such as one in its
   * defaults.
   */
  readonly website?: Place;
  /** The domain, as the file states it, if the problem is that of one website. */
  readonly domain?: string | undefined;
  /** What is wrong and what to write instead, without a period at the end. */
  readonly problem: string;
}

/** Places a problem in a line. */
export function problemAt(line: number, problem: string): FileProblem {
  return { place: { unit: "line", number: line }, problem };
}
