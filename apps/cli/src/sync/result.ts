import type { Place } from "../entries/website-entry.ts";
import type { Column } from "../output/view.ts";
import { placeText } from "./place-text.ts";

/** Everything that can become of a website, in the order of a summary, with its words there. */
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
  not_tried: "not tried",
} as const;

/** What became of a website. */
type Outcome = keyof typeof outcomes;

/** What became of one website, without which one it is. */
export interface Verdict {
  readonly outcome: Outcome;
  /** The ID of the website, if it exists. */
  readonly id?: number | undefined;
  /** Why nothing was changed. */
  readonly reason?: string | undefined;
}

/** What became of one website. */
export interface Result extends Verdict {
  /** The place of the website in the file; undefined for a delete. */
  readonly place?: Place | undefined;
  /** In canonical form; undefined if the file states no valid domain. */
  readonly domain?: string | undefined;
}

/** Whether the website is as the file wants it, or would be. */
export function isDone({ outcome }: Verdict): boolean {
  return !isWrong({ outcome }) && outcome !== "not_tried";
}

/** Whether something went wrong with the website. */
export function isWrong({ outcome }: Verdict): boolean {
  return outcome === "refused" || outcome === "failed";
}

/** Counts the outcomes: "3 created, 1 refused, 5 not tried". */
export function countOutcomes(results: readonly Result[], format: (count: number) => string = String): string {
  const counts = new Map<Outcome, number>();
  for (const { outcome } of results) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  // Object.keys returns strings. These are the names of the outcomes.
  const parts = (Object.keys(outcomes) as Outcome[]).flatMap((outcome) => {
    const count = counts.get(outcome);
    return count === undefined ? [] : [`${format(count)} ${outcomes[outcome]}`];
  });
  return parts.join(", ");
}

/** A result as programs get it. */
interface ResultRecord {
  readonly place: string | null;
  readonly domain: string | null;
  /** Null if there is no website. */
  readonly id: number | null;
  readonly outcome: Outcome;
  readonly reason: string | null;
}

/** How results are printed. */
export const resultView = {
  place: { title: "Place", inList: true },
  domain: { title: "Domain", inList: true, kind: "domain" },
  id: { title: "ID", inList: true },
  outcome: { title: "Outcome", inList: true },
  reason: { title: "Reason", inList: true },
} satisfies Record<keyof ResultRecord, Column>;

/** Returns the result as programs get it. */
export function toResultRecord({ place, domain, id, outcome, reason }: Result): ResultRecord {
  const name = place === undefined ? null : placeText(place);
  return { place: name, domain: domain ?? null, id: id ?? null, outcome, reason: reason ?? null };
}
