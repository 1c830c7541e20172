import type { Place } from "../entries/website-entry.ts";

/** After so many problems of a file, only the first one of each website is listed, or the file is not read any further. */
export const maxProblems = 1_000;

/** What is wrong with a site file, and where. */
export interface FileProblem {
  readonly place: Place;
  /** Where the website with the problem is listed; undefined if it is a problem of the entire file, such as one in its defaults. */
  readonly website?: Place;
  /** The domain, as the file states it, if the problem is that of one website. */
  readonly domain?: string;
  /** What is wrong and what to write instead, without a period at the end. */
  readonly problem: string;
  /** Whether it is a list that does not exist. `siteward check` lists it once for all websites that name it. */
  readonly isUnknownList?: true;
}
