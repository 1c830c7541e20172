import { isSameValue } from "@siteward/service";
import type { ListChange } from "../interface/audit-store.ts";

/**
 * Returns what was added to a list and what was removed. Undefined if that does not tell the list after the change from the one
 * before, because other entries changed their places or an entry that was removed once is still there.
 *
 * It looks only at what is between the same beginning and the same end: of 500 addresses, that is mostly one.
 */
export function compareLists(before: readonly unknown[], after: readonly unknown[]): ListChange | undefined {
  const start = countSame(before, after);
  const end = countSame(before.slice(start).reverse(), after.slice(start).reverse());
  const old = before.slice(start, before.length - end);
  const current = after.slice(start, after.length - end);
  const had = new Set(old);
  const has = new Set(current);
  const kept = old.filter((entry) => has.has(entry));
  const stayed = current.filter((entry) => had.has(entry));
  if (!isSameValue(kept, stayed)) return undefined;
  const removed = old.filter((entry) => !has.has(entry));
  if (removed.length > 0 && isStillThere(removed, before)) return undefined;
  const change = { added: current.filter((entry) => !had.has(entry)), removed };
  const at = current.flatMap((entry, index) => (had.has(entry) ? [] : [start + index]));
  const isAtEnd = at.length === 0 || at[0] === after.length - at.length;
  return isAtEnd ? change : { ...change, at };
}

/** Returns with how many same entries two lists begin. */
function countSame(left: readonly unknown[], right: readonly unknown[]): number {
  const shorter = Math.min(left.length, right.length);
  for (let count = 0; count < shorter; count += 1) {
    if (left[count] !== right[count]) return count;
  }
  return shorter;
}

function isStillThere(removed: readonly unknown[], before: readonly unknown[]): boolean {
  const gone = new Set(removed);
  return before.filter((entry) => gone.has(entry)).length > removed.length;
}
