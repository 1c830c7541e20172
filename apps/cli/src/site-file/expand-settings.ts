import type { WebsiteSettings } from "@siteward/contract/website-settings";
import type { WebsiteEntry } from "../entries/website-entry.ts";
import { type ListName, listSettings } from "../settings/settings.ts";
import type { FileProblem } from "./file-problem.ts";
import { canNameLists, countParts, entriesOnly, nameOf, readItems, splitItems } from "./list-items.ts";
import type { Mapping } from "./mapping.ts";
import { problemAt } from "./problem-at.ts";
import { ReadingStopped } from "./reading-stopped.ts";
import type { ListUse, SharedLists } from "./shared-lists.ts";

/** The names of the lists that each setting uses. */
export type ListsOfSettings = NonNullable<WebsiteEntry["lists"]>;

/** The fields of a mapping, without the names of lists, and the settings that name some. */
interface SplitFields {
  readonly fields: Mapping["fields"];
  readonly uses: readonly ListUse[];
}

/** The most entries next to names of lists. A setting has at most 500 different ones. */
const maxParts = 10_000;

const tooManyParts = `names lists among more than ${maxParts.toLocaleString("en-US")} entries; write each of them once`;

/**
 * Splits the names of lists off the settings that name them. Their entries keep their positions, for messages.
 *
 * @throws ReadingStopped
 */
export function splitFields({ fields, lineOf }: Mapping): SplitFields {
  const uses: ListUse[] = [];
  const own: Record<string, unknown> = {};
  for (const { name: field } of listSettings) {
    const value = fields[field];
    const items = canNameLists(value) ? readItems(value) : undefined;
    if (items === undefined) continue;
    if (countParts(items) > maxParts) throw new ReadingStopped(lineOf(field), tooManyParts);
    own[field] = entriesOnly(items);
    const parts = splitItems(items);
    if (parts.some((part) => nameOf(part) !== undefined)) uses.push({ field, line: lineOf(field), parts });
  }
  // In the order of the file, so that the first use of a list decides which setting it is for.
  uses.sort((one, other) => one.line - other.line);
  return { fields: Object.keys(own).length === 0 ? fields : { ...fields, ...own }, uses };
}

/** The settings that name lists, with all their entries. */
interface ExpandedSettings {
  readonly settings: Partial<WebsiteSettings>;
  readonly lists: ListsOfSettings;
  /** Undefined if there is nothing wrong. Empty if it is wrong with the lists, which are listed with their own lines. */
  readonly problems?: readonly FileProblem[];
}

/** @throws ReadingStopped if the file repeats too many entries */
export function settingsOfLists(uses: readonly ListUse[], shared: SharedLists): ExpandedSettings {
  const settings: Partial<Record<ListName, string[]>> = {};
  const lists: Partial<Record<ListName, readonly string[]>> = {};
  const problems: FileProblem[] = [];
  let isWrong = false;
  for (const use of uses) {
    const { field, line, parts } = use;
    const expansion = shared.expand(use);
    if ("entries" in expansion) {
      settings[field] = expansion.entries;
      lists[field] = [...new Set(parts.flatMap((part) => nameOf(part) ?? []))];
      continue;
    }
    isWrong = true;
    const { fault, isUnknownList } = expansion;
    if (fault === undefined) continue;
    const problem = problemAt(line, `${field} ${fault}`);
    problems.push(isUnknownList === true ? { ...problem, isUnknownList } : problem);
  }
  return { settings, lists, ...(isWrong ? { problems } : {}) };
}
