import { isDeepStrictEqual } from "node:util";
import { AbortError, type ChangeOptions, isApiError, type Siteward, type Website } from "@siteward/sdk";
import { CliError } from "../process/cli-error.ts";
import { completeSettings } from "../websites/complete-settings.ts";
import { updateWebsite } from "../websites/update-website.ts";
import { type Change, type Creation, type Deletion, type Update, verdictOfConflict } from "./decide.ts";
import type { RunPolicy } from "./policy.ts";
import type { Verdict } from "./result.ts";

/** How a change is sent. */
export interface SendOptions {
  readonly policy: RunPolicy;
  /** The password to send, if the change sends one. */
  readonly password?: string | undefined;
  /** The entity tag of the website when the change was decided. */
  readonly ifMatch?: string | undefined;
  /** Ends the wait for the rate limit. */
  readonly signal?: AbortSignal | undefined;
}

/** What became of a change, and the website if it was created or updated. */
export interface Sent extends Verdict {
  readonly website?: Website;
}

/**
 * Sends one change in one request. If the policy is exact, an update or delete has the entity tag of the website that the
 * plan shows as its condition, so nothing is changed if that is no longer what the service has. If something removed the
 * condition of an update from the request, its response shows it.
 *
 * @throws CliError `changed_meanwhile`, `entity_tag_missing`, if the policy is exact
 * @throws SitewardError
 */
export async function sendChange(siteward: Siteward, change: Change, options: SendOptions): Promise<Sent> {
  try {
    switch (change.action) {
      case "create":
        return await create(siteward, change, options);
      case "update":
        return await (options.policy.isExact ? updateExactly : update)(siteward, change, options);
      case "delete":
        return await remove(siteward, change, options);
    }
  } catch (error) {
    throw options.policy.isExact ? afterPlan(error, change) : error;
  }
}

/**
 * Treats a domain that was taken after the account was read as one that was there before. So does the second run of an
 * import that was killed while the service still worked on its last requests. If the policy is exact, this is a
 * conflict instead.
 */
async function create(siteward: Siteward, change: Creation, options: SendOptions): Promise<Sent> {
  const { policy, password, signal } = options;
  const { domain, settings } = change;
  try {
    const website = await siteward.websites.create({ domain, ...settings, password }, { waitSignal: signal });
    return { outcome: "created", id: website.id, website };
  } catch (error) {
    if (policy.isExact || !isApiError(error, "domain_taken")) throw error;
    const id = error.problem?.website_id;
    const conflict = verdictOfConflict(id, policy);
    if (conflict !== undefined) return conflict;
    if (id === undefined) throw error;
    return await update(siteward, { website: { id }, settings }, options);
  }
}

/** Updates a website whatever it is now. */
async function update(
  siteward: Siteward,
  {
    website: { id },
    settings,
    edits = {},
  }: Pick<Update, "settings" | "edits"> & { readonly website: Pick<Website, "id"> },
  { password, signal }: SendOptions,
): Promise<Sent> {
  const fields = { ...settings, password };
  const website = await updateWebsite(siteward, id, { fields, edits, condition: { waitSignal: signal } });
  return { outcome: "updated", id, website };
}

async function updateExactly(siteward: Siteward, change: Update, options: SendOptions): Promise<Sent> {
  const { password } = options;
  const { id } = change.website;
  try {
    const website = await siteward.websites.update(id, { ...change.settings, password }, conditionOf(options));
    if (!isAsPlanned(website, change)) throw updatedNevertheless(change);
    return { outcome: "updated", id, website };
  } catch (error) {
    if (!isApiError(error, "precondition_failed")) throw error;
    // Somebody else changed the website, or this change was done and its response was lost, so that it was sent twice.
    const current = await readUnlessStopped(siteward, id, options);
    if (current === undefined) throw error;
    return alreadyDone(current, change);
  }
}

/** Returns the website; undefined after an interruption. What became of the change is then as uncertain as before. */
async function readUnlessStopped(
  siteward: Siteward,
  id: number,
  { signal }: SendOptions,
): Promise<Website | undefined> {
  try {
    return await siteward.websites.get(id, { waitSignal: signal });
  } catch (error) {
    if (error instanceof AbortError) return undefined;
    throw error;
  }
}

async function remove(siteward: Siteward, { website: { id } }: Deletion, options: SendOptions): Promise<Sent> {
  try {
    await siteward.websites.delete(id, conditionOf(options));
    return { outcome: "deleted", id };
  } catch (error) {
    if (!options.policy.acceptsMissing || !isApiError(error, "not_found")) throw error;
    return { outcome: "unchanged", id, reason: "was deleted meanwhile" };
  }
}

/** @throws CliError `entity_tag_missing` if the policy is exact and the list had no entity tags */
function conditionOf({ policy, ifMatch, signal: waitSignal }: SendOptions): ChangeOptions {
  if (ifMatch !== undefined) return { ifMatch, waitSignal };
  if (!policy.isExact) return { waitSignal };
  throw new CliError(
    "entity_tag_missing",
    "The list of websites has no entity tags, so a change that somebody else makes could be overwritten.",
    "Check that the service is up to date, and what changes its responses, such as a proxy.",
  );
}

/** @throws CliError `changed_meanwhile` if the website is not as the change makes it, or if nobody can tell */
function alreadyDone(current: Website, change: Update): Verdict {
  if (!isAsPlanned(current, change)) throw changedMeanwhile(change, "was changed");
  if (change.password !== undefined) throw passwordUnknown(change);
  return { outcome: "unchanged", id: current.id, reason: "was changed to the settings of the file meanwhile" };
}

/** Whether the website has the settings that the change makes. No record shows a password. */
function isAsPlanned(current: Website, { website, settings }: Update): boolean {
  return isDeepStrictEqual(completeSettings(current), completeSettings({ ...website, ...settings }));
}

/** A website has the settings of the plan, but the update that would also have set its password was refused. */
function passwordUnknown({ domain }: Update): CliError {
  return new CliError(
    "changed_meanwhile",
    `${domain} was changed to the settings of the file after the plan was computed. ` +
      "Nobody can tell whether its password is that of the file.",
    "To send the passwords of the file again, run the command with --set-passwords.",
  );
}

function updatedNevertheless({ domain }: Update): CliError {
  return new CliError(
    "changed_meanwhile",
    `${domain} was changed after the plan was computed, and updated nevertheless: ` +
      "the service did not get the condition of the update.",
    "Check what changes the requests, such as a proxy that removes If-Match. Run the command again to see the new plan.",
  );
}

/** Returns the error as one of the plan, if it says that the website is no longer what the plan shows. */
function afterPlan(error: unknown, change: Change): unknown {
  if (isApiError(error, "domain_taken")) return changedMeanwhile(change, "was created");
  if (isApiError(error, "precondition_failed")) return changedMeanwhile(change, "was changed");
  return change.action === "update" && isApiError(error, "not_found") ? changedMeanwhile(change, "was deleted") : error;
}

function changedMeanwhile({ domain }: Change, event: string): CliError {
  return new CliError(
    "changed_meanwhile",
    `${domain} ${event} after the plan was computed.`,
    "Run the command again to see the new plan.",
  );
}
