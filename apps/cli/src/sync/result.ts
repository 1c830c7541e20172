import type { Place } from "../files/entry.ts";
import type { Column } from "../output/view.ts";
import { placeText } from "./problems.ts";

/** Everything that can become of a website, in the order of a summary. */
const outcomes = {
  created: "created",
  would_create: "to create",
  updated: "updated",
  would_update: "to update",
  deleted: "deleted",
  unchanged: "unchanged",
  skipped: "skipped",
  refused: "refused",
  failed: "failed",
  unknown: "unknown",
  not_tried: "not tried",
} as const;

/** What became of one website. */
export interface Result {
  /** The place of the website in the file; undefined for a delete. */
  readonly place?: Place | undefined;
  /** In canonical form; undefined if the file states no valid domain. */
  readonly domain?: string | undefined;
  /** The ID of the website, if it exists. */
  readonly id?: number | undefined;
  readonly outcome: keyof typeof outcomes;
  /** Why nothing was changed, or what would be. */
  readonly reason?: string | undefined;
}

/** Whether the website is as the file wants it, or would be. */
export function isDone({ outcome }: Result): boolean {
  return !isWrong({ outcome }) && outcome !== "not_tried";
}

/** Whether something went wrong with the website. */
export function isWrong({ outcome }: Result): boolean {
  return outcome === "refused" || outcome === "failed" || outcome === "unknown";
}

/** Whether the website was to be created, and exists. */
export function isTaken({ outcome, reason }: Result): boolean {
  return outcome === "refused" && reason === exists;
}

/** The reason for which nothing is done with a website that exists. */
export const exists = "exists";

/** Counts the outcomes: "3 created, 1 refused, 5 not tried, 1 already there". */
export function countOutcomes(results: readonly Result[]): string {
  const counts = new Map<string, number>(Object.values(outcomes).map((words) => [words, 0]));
  for (const result of results) {
    const words = isTaken(result) ? "already there" : outcomes[result.outcome];
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const parts = [...counts].filter(([, count]) => count > 0);
  return parts.map(([words, count]) => `${count.toLocaleString("en-US")} ${words}`).join(", ");
}

/** How results are printed. */
export const resultView = {
  place: { title: "Place", inList: true },
  domain: { title: "Domain", inList: true, kind: "domain" },
  id: { title: "ID", inList: true },
  outcome: { title: "Outcome", inList: true },
  reason: { title: "Reason", inList: true },
} satisfies Record<keyof ReturnType<typeof toResultRecord>, Column>;

/** Returns the result as programs get it: null is what it does not have. */
export function toResultRecord({ place, domain, id, outcome, reason }: Result) {
  const name = place === undefined ? null : placeText(place);
  return { place: name, domain: domain ?? null, id: id ?? null, outcome, reason: reason ?? null };
}
