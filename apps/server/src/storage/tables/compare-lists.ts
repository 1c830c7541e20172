import { isSameValue } from "@siteward/service";
import type { ListChange } from "../interface/audit-store.ts";

/**
 * Returns what was added to a list and what was removed. Undefined if that does not tell the list after the change from the one
 * before, because other entries changed their places or a list has an entry twice.
 */
export function compareLists(before: readonly unknown[], after: readonly unknown[]): ListChange | undefined {
  const had = new Set(before);
  const has = new Set(after);
  if (had.size < before.length || has.size < after.length) return undefined;
  const kept = before.filter((entry) => has.has(entry));
  const added = after.filter((entry) => !had.has(entry));
  const stayed = after.filter((entry) => had.has(entry));
  if (!isSameValue(kept, stayed)) return undefined;
  const change = { added, removed: before.filter((entry) => !has.has(entry)) };
  const at = after.flatMap((entry, index) => (had.has(entry) ? [] : [index]));
  const [first = kept.length] = at;
  return first < kept.length ? { ...change, at } : change;
}
