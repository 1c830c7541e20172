import type { Column } from "../output/view.ts";
import type { FileProblem } from "../site-file/file-problem.ts";
import { placeText } from "./place-text.ts";

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
