import type { Edit, Outcome, Update } from "../../../src/bulk/index.ts";

/** Returns the same change of several websites of a fake. */
export function edits(ids: readonly number[], edit: Edit): Update[] {
  return ids.map((id) => ({ action: "update", id, domain: `site${id}.example`, edit }));
}

export function statesOf(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.map(({ state }) => state);
}
