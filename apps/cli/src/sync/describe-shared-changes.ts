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
  const updates = changes.filter((change) => change.action === "update");
  const groups = [...Map.groupBy(updates.flatMap(sharedChangesOf), (change) => JSON.stringify(change)).values()];
  const shared = groups.filter(({ length }) => length > 1).toSorted((one, other) => other.length - one.length);
  return firstLines(shared, maxDescribed, describe);
}

function sharedChangesOf({ website, settings, lists = {} }: Update): readonly SharedChange[] {
  return listSettings.flatMap(({ name: field }) => {
    const [after, names] = [settings[field], lists[field]];
    if (after === undefined || names === undefined) return [];
    return [{ field, lists: names, ...diffEntries(website[field], after) }];
  });
}

function describe(group: readonly SharedChange[]): string {
  const [change] = group;
  if (change === undefined) return "";
  const { field, lists, added, removed } = change;
  const counts = [...countText(added, "added"), ...countText(removed, "removed")];
  const what = counts.length === 0 ? "another order" : counts.join(", ");
  return `${group.length} websites with ${listNames(lists)} have the same change of ${field}: ${what}.`;
}

function countText({ length }: readonly string[], verb: string): readonly string[] {
  if (length === 0) return [];
  return [`${length} ${length === 1 ? "entry" : "entries"} ${verb}`];
}

/** Names lists as a site file does: "@office, @vpn". */
export function listNames(names: readonly string[]): string {
  return names.map((name) => `@${name}`).join(", ");
}
