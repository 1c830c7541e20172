import { isSameValue } from "@siteward/service";
import type { AuditChanges, ListChange } from "../interface/audit-store.ts";

/** The values of a record's fields, in the form that people read. Undefined fields are left out. */
export type AuditedFields = Readonly<Record<string, unknown>>;

/** A change as it is stored: the value before and the value after. Their names would take a third of most entries. */
type StoredValues = readonly [from: unknown, to: unknown];
/** A `ListChange` as it is stored: what was added, what was removed, and the positions. What is empty is omitted. */
interface StoredListChange {
  readonly "+"?: ListChange["added"];
  readonly "-"?: ListChange["removed"];
  readonly "@"?: NonNullable<ListChange["at"]>;
}
type StoredChange = StoredValues | StoredListChange | "set" | "cleared";

/**
 * Describes a change of a record as JSON: each field whose value differs, with its values before and after. A field
 * that one of the two does not have is null there. It is `{}` if no value differs. Do not pass a secret, only whether
 * it was `"set"` or `"cleared"`.
 *
 * @param secrets what happened to the secrets of the record, by field
 */
export function describeChanges(
  before: AuditedFields,
  after: AuditedFields,
  secrets: Readonly<Record<string, "set" | "cleared">> = {},
): string {
  const changes: Record<string, StoredChange> = {};
  for (const name in { ...after, ...before }) {
    const [from, to] = [before[name] ?? null, after[name] ?? null];
    if (!isSameValue(from, to)) changes[name] = toStored(from, to);
  }
  return JSON.stringify(Object.assign(changes, secrets));
}

/**
 * Two full lists take 67 kB, and most changes of a list add or remove few entries. Of an entry in both lists, the
 * change saves at least 8 bytes, as of `"a",` twice. The names of its parts take as many, and a position takes 5.
 */
function toStored(from: unknown, to: unknown): StoredChange {
  if (!isLong(from) || !isLong(to)) return [from, to];
  const change = compareLists(from, to);
  if (change === undefined) return [from, to];
  const { added, removed, at } = change;
  const inBoth = from.length - removed.length;
  if (inBoth <= (at?.length ?? 0) + 1) return [from, to];
  return {
    ...(added.length === 0 ? {} : { "+": added }),
    ...(removed.length === 0 ? {} : { "-": removed }),
    ...(at === undefined ? {} : { "@": at }),
  };
}

/** With one entry, a list shares too little with another one to save anything. Comparing them would take 2 µs. */
function isLong(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 1;
}

export function readChanges(described: string): AuditChanges {
  // The cast is safe: only `describeChanges` writes the column.
  const stored = Object.entries(JSON.parse(described) as Readonly<Record<string, StoredChange>>);
  return Object.fromEntries(stored.map(([name, change]) => [name, fromStored(change)]));
}

function fromStored(change: StoredChange): AuditChanges[string] {
  if (typeof change === "string") return change;
  if (isValues(change)) {
    const [from, to] = change;
    return (Array.isArray(from) && Array.isArray(to) && compareLists(from, to)) || { from, to };
  }
  const { "+": added = [], "-": removed = [], "@": at } = change;
  return { added, removed, ...(at === undefined ? {} : { at }) };
}

function isValues(change: StoredValues | StoredListChange): change is StoredValues {
  return Array.isArray(change);
}

/**
 * Returns what was added to a list and what was removed. Undefined if that does not tell the list after the change from
 * the one before, because other entries changed their places or an entry that was removed once is still there.
 *
 * It looks only at what is between the same beginning and the same end: of 500 addresses, that is mostly one.
 */
function compareLists(before: readonly unknown[], after: readonly unknown[]): ListChange | undefined {
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
