import { isDeepStrictEqual } from "node:util";
import { type ChangeOptions, isApiError, isSitewardError, type Siteward, type Website } from "@siteward/sdk";
import { CliError } from "../errors/cli-error.ts";
import { completeSettings } from "../settings/complete-settings.ts";
import type { Change, Creation, Deletion, Update } from "./change.ts";
import type { Policy } from "./policy.ts";
import type { Verdict } from "./result.ts";
import type { RunOptions } from "./run-all.ts";

/** How a change is sent. */
interface SendOptions extends Pick<Policy, "isExact">, Pick<RunOptions, "signal"> {
  /** The password to send, if the change sends one. */
  readonly password: string | undefined;
  /** The entity tag of the website when the change was decided. */
  readonly ifMatch: string | undefined;
}

/**
 * Sends one change in one request. If the policy is exact, an update or delete has the entity tag of the website that the
 * plan shows as its condition, so nothing is changed if that is no longer what the service has. If something removed the
 * condition of an update from the request, its response shows it.
 *
 * @throws CliError `changed_meanwhile`, `entity_tag_missing`, if the policy is exact
 * @throws SitewardError
 */
export async function sendChange(siteward: Siteward, change: Change, options: SendOptions): Promise<Verdict> {
  const { isExact } = options;
  try {
    switch (change.action) {
      case "create":
        return await create(siteward, change, options);
      case "update":
        return await update(siteward, change, options);
      case "delete":
        return await remove(siteward, change, options);
    }
  } catch (error) {
    if (!isExact) throw error;
    return afterPlan(error, change);
  }
}

async function create(siteward: Siteward, change: Creation, { password, signal }: SendOptions): Promise<Verdict> {
  const { domain, settings } = change;
  const { id } = await siteward.websites.create({ domain, ...settings, password }, { waitSignal: signal });
  return { outcome: "created", id };
}

async function update(siteward: Siteward, change: Update, options: SendOptions): Promise<Verdict> {
  const { isExact, password } = options;
  const { id } = change.website;
  try {
    const updated = await siteward.websites.update(id, { ...change.settings, password }, conditionOf(options));
    if (isExact && !isAsPlanned(updated, change)) throw updatedNevertheless(change);
    return { outcome: "updated", id };
  } catch (error) {
    if (!isExact || !isApiError(error, "precondition_failed")) throw error;
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
    if (isSitewardError(error) && error.code === "aborted") return undefined;
    throw error;
  }
}

async function remove(siteward: Siteward, change: Deletion, options: SendOptions): Promise<Verdict> {
  const { id } = change.website;
  await siteward.websites.delete(id, conditionOf(options));
  return { outcome: "deleted", id };
}

/** @throws CliError `entity_tag_missing` if the policy is exact and the list had no entity tags */
function conditionOf({ isExact, ifMatch, signal: waitSignal }: SendOptions): ChangeOptions {
  if (!isExact) return { waitSignal };
  if (ifMatch !== undefined) return { ifMatch, waitSignal };
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

/**
 * @throws CliError `changed_meanwhile` if the error says that the website is no longer what the plan shows, else the
 * error
 */
function afterPlan(error: unknown, change: Change): Verdict {
  if (isApiError(error, "domain_taken")) throw changedMeanwhile(change, "was created");
  if (isApiError(error, "precondition_failed")) throw changedMeanwhile(change, "was changed");
  if (change.action === "create" || !isApiError(error, "not_found")) throw error;
  if (change.action === "update") throw changedMeanwhile(change, "was deleted");
  return { outcome: "unchanged", id: change.website.id, reason: "was deleted meanwhile" };
}

function changedMeanwhile({ domain }: Change, event: string): CliError {
  return new CliError(
    "changed_meanwhile",
    `${domain} ${event} after the plan was computed.`,
    "Run the command again to see the new plan.",
  );
}
