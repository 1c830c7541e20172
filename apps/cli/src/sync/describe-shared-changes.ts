import { firstLines } from "../output/first-lines.ts";
import { type ListName, listSettings } from "../settings/settings.ts";
import type { Change, Update } from "./change.ts";
import { diffEntries, type EntryDiff } from "./diff-entries.ts";

/** How many changes are described. A list that changes is one of them. */
const maxDescribed = 20;

/** A change of a setting that names lists of the file. */
interface SharedChange extends EntryDiff {
  readonly field: ListName;
  readonly lists: readonly string[];
}

/**
 * Describes the changes that several websites have in common because they name the same lists of the file: one entry of a list can
 * change 90 websites. The one of the most websites is first.
 */
export function describeSharedChanges(changes: readonly Change[]): readonly string[] {
  const groups = new Map<string, Group>();
  for (const change of changes) if (change.action === "update") countChanges(change, groups);
  const shared = [...groups.values()]
    .filter(({ count }) => count > 1)
    .toSorted((one, other) => other.count - one.count);
  return firstLines(shared, maxDescribed, describe);
}

/** Websites with the same change. Only the first change is kept: those of 100,000 websites with 500 entries each are 400 MB. */
interface Group {
  readonly change: SharedChange;
  count: number;
}

function countChanges({ website, settings, lists = {} }: Update, groups: Map<string, Group>): void {
  for (const { name: field } of listSettings) {
    const [after, names] = [settings[field], lists[field]];
    if (after === undefined || names === undefined) continue;
    const change: SharedChange = { field, lists: names, ...diffEntries(website[field], after) };
    const key = JSON.stringify(change);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { change, count: 1 });
    else group.count += 1;
  }
}

function describe({ change, count }: Group): string {
  const { field, lists, added, removed } = change;
  const counts = [...countText(added, "added"), ...countText(removed, "removed")];
  const what = counts.length === 0 ? "another order" : counts.join(", ");
  return `${count} websites with ${listNames(lists)} have the same change of ${field}: ${what}.`;
}

function countText({ length }: readonly string[], verb: string): readonly string[] {
  if (length === 0) return [];
  return [`${length} ${length === 1 ? "entry" : "entries"} ${verb}`];
}

/** Names lists as a site file does: "@office, @vpn". */
export function listNames(names: readonly string[]): string {
  return names.map((name) => `@${name}`).join(", ");
}
