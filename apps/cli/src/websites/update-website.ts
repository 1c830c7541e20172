import { type ChangeOptions, isApiError, type Siteward, type UpdateWebsite, type Website } from "@siteward/sdk";
import { CliError } from "../process/cli-error.ts";
import { editLists, type ListChanges } from "./edit-lists.ts";
import type { ListEdits } from "./list-edit-flags.ts";
import { lacksPassword } from "./website-flags.ts";

/** How often a website is read and changed until nobody else changes it in between. */
const maxAttempts = 20;

/** A change of one website. */
interface Change {
  readonly fields: UpdateWebsite;
  readonly edits: ListEdits;
  readonly condition: ChangeOptions;
  /** Prompts for a password; undefined if the command must not prompt. */
  readonly prompt?: (() => Promise<string>) | undefined;
}

/** A website after a change. */
interface Update {
  /** Undefined if no list was edited: then the website is not read. */
  readonly before: Website | undefined;
  readonly after: Website;
  readonly changes: ListChanges;
}

/**
 * Updates the website. To edit a list, it reads the website and sends the new list with the entity tag, and repeats both if
 * somebody else changes the website in between. If nothing is to be changed then, it sends nothing.
 *
 * Only the service knows if a password is stored, so it prompts once the service requires one.
 *
 * @throws ApiError `precondition_failed` if the condition is not met, or if others changed the website 20 times in a row
 * @throws CliError `entity_tag_missing`
 */
export async function updateWebsite(siteward: Siteward, id: number, change: Change): Promise<Update> {
  let { fields } = change;
  for (let attemptsLeft = maxAttempts - 1; ; attemptsLeft -= 1) {
    const { before, changes, condition, isRepeatable } = await prepare(siteward, id, change);
    const body = { ...fields, ...changes.lists };
    if (before !== undefined && isRepeatable && isEmpty(body)) return { before, after: before, changes };
    try {
      return { before, after: await siteward.websites.update(id, body, condition), changes };
    } catch (error) {
      if (change.prompt !== undefined && isPasswordMissing(error, fields)) {
        fields = { ...fields, password: await change.prompt() };
      } else if (!isRepeatable || attemptsLeft === 0 || !isApiError(error, "precondition_failed")) throw error;
    }
  }
}

interface Preparation extends Omit<Update, "after"> {
  readonly condition: ChangeOptions;
  /** Whether to read the website again if it is no longer as it was read. If the user chose a version, it is not. */
  readonly isRepeatable: boolean;
}

/** Reads the website if its lists are edited. */
async function prepare(siteward: Siteward, id: number, { edits, condition }: Change): Promise<Preparation> {
  if (isEmpty(edits)) {
    return { before: undefined, changes: { lists: {}, present: [], missing: [] }, condition, isRepeatable: false };
  }
  const { waitSignal, ifMatch = "*" } = condition;
  const { data: before, response } = await siteward.websites.get(id, { waitSignal }).withResponse();
  const changes = editLists(before, edits);
  if (ifMatch !== "*") return { before, changes, condition, isRepeatable: false };
  if (response.etag === undefined) throw tagMissing();
  return { before, changes, condition: { ifMatch: response.etag, waitSignal }, isRepeatable: true };
}

function isEmpty(fields: object): boolean {
  return Object.values(fields).every((value) => value === undefined);
}

function isPasswordMissing(error: unknown, fields: UpdateWebsite): boolean {
  if (!lacksPassword(fields)) return false;
  return isApiError(error, "validation_failed") && Object.keys(error.errors).join() === "password";
}

function tagMissing(): CliError {
  return new CliError(
    "entity_tag_missing",
    "The response has no entity tag, so a change that somebody else makes at the same time could be lost.",
    "A proxy may have removed it. To replace an entire list instead, use --exclude-params or --exclude-ips.",
  );
}
