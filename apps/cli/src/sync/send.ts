import { isDeepStrictEqual } from "node:util";
import { AbortError, type ChangeOptions, isApiError, type Siteward, type Website } from "@siteward/sdk";
import { CliError } from "../process/cli-error.ts";
import { completeSettings } from "../websites/settings.ts";
import { updateWebsite } from "../websites/update-website.ts";
import { type Change, type Creation, type Deletion, type Update, verdictOfConflict } from "./decide.ts";
import type { Policy } from "./policy.ts";
import type { Verdict } from "./result.ts";

/** How a change is sent. */
export interface SendOptions {
  readonly policy: Policy;
  /** The password to send, if the change sends one. */
  readonly password?: string | undefined;
  /** The entity tag of the website when the change was decided. */
  readonly ifMatch?: string | undefined;
  /** Ends the wait for the rate limit. */
  readonly signal?: AbortSignal | undefined;
}

/** What became of a change, the website if it was created or updated, and the error that ends the run, if it does. */
export interface Sent extends Verdict {
  readonly website?: Website;
  readonly error?: unknown;
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
    if (change.action === "create") return await create(siteward, change, options);
    return await (change.action === "update" ? update(siteward, change, options) : remove(siteward, change, options));
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
    return await update(siteward, { domain, website: { id }, settings }, options);
  }
}

/** What to update. Of a website that was created meanwhile, only the ID is known. */
type Target = Pick<Update, "domain" | "settings" | "edits"> & { readonly website: Deletion["website"] };

async function update(siteward: Siteward, change: Target, options: SendOptions): Promise<Sent> {
  const { settings, edits = {} } = change;
  const { policy, password, signal: waitSignal } = options;
  const { id } = change.website;
  try {
    const fields = { ...settings, password };
    const after = await updateWebsite(siteward, id, { fields, edits, condition: conditionOf(options) });
    if (policy.isExact && !isAsPlanned(after, change)) throw updatedNevertheless(change);
    return { outcome: "updated", id, website: after };
  } catch (error) {
    if (!policy.isExact || !isApiError(error, "precondition_failed")) throw error;
    // Somebody else changed the website, or this change was done and its response was lost, so that it was sent twice.
    const current = await siteward.websites.get(id, { waitSignal }).catch((cause: unknown) => {
      // After an interruption, what became of the change is as uncertain as before.
      throw cause instanceof AbortError ? error : cause;
    });
    if (!isAsPlanned(current, change)) throw error;
    if (password !== undefined) throw passwordUnknown(change);
    return { outcome: "unchanged", id, reason: "was changed to the settings of the file meanwhile" };
  }
}

/** Whether the website has the settings that the change makes. No record shows a password. */
function isAsPlanned(current: Website, { website, settings }: Target): boolean {
  return isDeepStrictEqual(completeSettings(current), completeSettings({ ...website, ...settings }));
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

/** A website has the settings of the plan, but the update that would also have set its password was refused. */
function passwordUnknown(change: Target): CliError {
  const next = "To send the passwords of the file again, run the command with --set-passwords.";
  const more = ". It now has the settings of the file, but perhaps not the password.";
  return changedMeanwhile(change, "changed", { more, next });
}

function updatedNevertheless(change: Target): CliError {
  const more = ", and updated nevertheless: the service did not get the condition of the update.";
  const cause = "Check what changes the requests, such as a proxy that removes If-Match.";
  return changedMeanwhile(change, "changed", { more, next: `${cause} ${seePlan}` });
}

/** Returns the error as one of the plan, if it says that the website is no longer what the plan shows. */
function afterPlan(error: unknown, change: Change): unknown {
  if (isApiError(error, "domain_taken")) return changedMeanwhile(change, "created");
  if (isApiError(error, "precondition_failed")) return changedMeanwhile(change, "changed");
  return change.action === "update" && isApiError(error, "not_found") ? changedMeanwhile(change, "deleted") : error;
}

const seePlan = "Run the command again to see the new plan.";

function changedMeanwhile(
  { domain }: Pick<Change, "domain">,
  event: "created" | "changed" | "deleted",
  { more = ".", next = seePlan } = {},
): CliError {
  return new CliError("changed_meanwhile", `${domain} was ${event} after the plan was computed${more}`, next);
}
