/** Everything that can become of a website of a file, in the order of a summary, with its words there. */
export const outcomes = {
  created: "created",
  would_create: "to create",
  updated: "updated",
  would_update: "to update",
  unchanged: "unchanged",
  skipped: "skipped",
  refused: "refused",
  failed: "failed",
  not_tried: "not tried",
} as const;

/** What became of a website of a file. */
export type Outcome = keyof typeof outcomes;

/** The outcomes of a website that is in the account as the file wants it, or would be. */
export function isDone(outcome: Outcome): boolean {
  return outcome !== "refused" && outcome !== "failed" && outcome !== "not_tried";
}
