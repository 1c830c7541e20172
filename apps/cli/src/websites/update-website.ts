import { type ChangeOptions, isApiError, type Siteward, type UpdateWebsite, type Website } from "@siteward/sdk";
import { CliError } from "../process/cli-error.ts";
import type { ListEdit, ListEdits } from "./list-edit-flags.ts";
import type { ListName } from "./settings.ts";

/** How often a website is read and changed until nobody else changes it in between. */
const maxAttempts = 20;

/** A change of one website. */
interface Change {
  readonly fields: UpdateWebsite;
  readonly edits: ListEdits;
  readonly condition: ChangeOptions;
}

/**
 * Updates the website, and returns it. To edit a list, it reads the website and sends the new list with the entity tag,
 * and repeats both if somebody else changes the website in between. If nothing is to be changed then, it sends nothing.
 *
 * @throws ApiError `precondition_failed` if the condition is not met, or if others changed the website 20 times in a row
 * @throws CliError `entity_tag_missing`
 */
export async function updateWebsite(siteward: Siteward, id: number, change: Change): Promise<Website> {
  const { fields, edits, condition } = change;
  if (Object.keys(edits).length === 0) return await siteward.websites.update(id, fields, condition);
  const { waitSignal, ifMatch = "*" } = condition;
  for (let attemptsLeft = maxAttempts - 1; ; attemptsLeft -= 1) {
    const { data: website, response } = await siteward.websites.get(id, { waitSignal }).withResponse();
    const body = { ...fields, ...editLists(website, edits) };
    // If the user chose a version, the website is not read again.
    if (ifMatch !== "*") return await siteward.websites.update(id, body, condition);
    if (response.etag === undefined) throw tagMissing();
    if (Object.values(body).every((value) => value === undefined)) return website;
    try {
      return await siteward.websites.update(id, body, { ifMatch: response.etag, waitSignal });
    } catch (error) {
      if (attemptsLeft === 0 || !isApiError(error, "precondition_failed")) throw error;
    }
  }
}

/**
 * Returns the lists that edits change. The entries that stay keep their order, and new ones follow them. All entries are in
 * canonical form.
 */
function editLists(website: Website, edits: ListEdits): Partial<Record<ListName, string[]>> {
  const lists: Partial<Record<ListName, string[]>> = {};
  for (const [field, { add, remove }] of entriesOf(edits)) {
    const before = website[field];
    const added = add.filter((entry) => !before.includes(entry));
    const kept = before.filter((entry) => !remove.includes(entry));
    if (added.length > 0 || kept.length < before.length) lists[field] = [...kept, ...added];
  }
  return lists;
}

/** Says which entries to remove are not in the lists of the website: "exclude_ips does not contain 203.0.113.7". */
export function describeAbsent(website: Website, edits: ListEdits): readonly string[] {
  return entriesOf(edits).flatMap(([field, { remove }]) =>
    remove.filter((entry) => !website[field].includes(entry)).map((entry) => `${field} does not contain ${entry}`),
  );
}

function entriesOf(edits: ListEdits): readonly (readonly [ListName, ListEdit])[] {
  // The keys of the edits are the fields.
  return Object.entries(edits) as [ListName, ListEdit][];
}

function tagMissing(): CliError {
  return new CliError(
    "entity_tag_missing",
    "The response has no entity tag, so a change that somebody else makes at the same time could be lost.",
    "A proxy may have removed it. To replace an entire list instead, use --exclude-params or --exclude-ips.",
  );
}
