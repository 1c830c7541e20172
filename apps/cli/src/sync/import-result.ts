import type { Place } from "../entries/website-entry.ts";
import type { Column } from "../output/view.ts";
import type { Outcome } from "./outcome.ts";

/** What became of one website, without where it is in the file. */
export interface Verdict {
  readonly outcome: Outcome;
  /** The ID of the website, if it exists. */
  readonly id?: number | undefined;
  /** Why it was not created or updated. */
  readonly reason?: string | undefined;
}

/** What became of one website of the file. */
export interface ImportResult extends Verdict {
  readonly place: Place;
  /** In canonical form; undefined if the file states no valid domain. */
  readonly domain?: string | undefined;
}

/** A result as programs get it. */
export interface ImportRecord {
  readonly place: string;
  readonly domain: string | null;
  readonly id: number | null;
  readonly outcome: Outcome;
  readonly reason: string | null;
}

/** How results are printed. */
export const importView = {
  place: { title: "Place", inList: true },
  domain: { title: "Domain", inList: true },
  id: { title: "ID", inList: true },
  outcome: { title: "Outcome", inList: true },
  reason: { title: "Reason", inList: true },
} satisfies Record<keyof ImportRecord, Column>;

/** Returns the result as programs get it. */
export function toRecord({ place, domain, id, outcome, reason }: ImportResult): ImportRecord {
  const name = `${place.unit} ${place.number}`;
  return { place: name, domain: domain ?? null, id: id ?? null, outcome, reason: reason ?? null };
}
