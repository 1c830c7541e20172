import { isApiError } from "@siteward/sdk";
import { CliError } from "../errors/cli-error.ts";
import type { Column } from "../output/view.ts";
import { reasonOfError } from "../websites/reason-of-error.ts";
import type { ChangeResult } from "./apply-plan.ts";

/** Everything that can become of a change, in the order of a summary, with its words there. */
export const applyOutcomes = {
  created: "created",
  updated: "updated",
  deleted: "deleted",
  unchanged: "unchanged",
  refused: "refused",
  failed: "failed",
  not_tried: "not tried",
} as const;

/** What became of a change. */
export type ApplyOutcome = keyof typeof applyOutcomes;

/** What became of a change, for programs. */
export interface ApplyRecord {
  /** Where the file lists the website; null for a delete. */
  readonly place: string | null;
  readonly domain: string;
  /** Null if there is no website. */
  readonly id: number | null;
  readonly outcome: ApplyOutcome;
  readonly reason: string | null;
}

/** How results are printed. */
export const applyView = {
  place: { title: "Place", inList: true },
  domain: { title: "Domain", inList: true, kind: "domain" },
  id: { title: "ID", inList: true },
  outcome: { title: "Outcome", inList: true },
  reason: { title: "Reason", inList: true },
} satisfies Record<keyof ApplyRecord, Column>;

/** Returns what became of a change, as programs get it. */
export function toApplyRecord(result: ChangeResult): ApplyRecord {
  const { change } = result;
  const place = change.action === "delete" ? null : `${change.place.unit} ${change.place.number}`;
  const id = change.action === "create" ? null : change.website.id;
  const stated = { place, domain: change.domain };
  if ("done" in result) {
    const { done } = result;
    return { ...stated, id: done.id, outcome: done.outcome, reason: done.reason ?? null };
  }
  if (!("error" in result)) return { ...stated, id, outcome: "not_tried", reason: null };
  const { error } = result;
  const isRefused = error instanceof CliError || (isApiError(error) && error.status < 500 && error.status !== 429);
  return { ...stated, id, outcome: isRefused ? "refused" : "failed", reason: reasonOfError(error) };
}
