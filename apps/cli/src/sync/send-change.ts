import { isDeepStrictEqual } from "node:util";
import { isApiError, type Siteward, type Website } from "@siteward/sdk";
import { CliError } from "../errors/cli-error.ts";
import { completeSettings } from "../settings/complete-settings.ts";
import type { Change, Creation, Deletion, Update } from "./change.ts";
import type { Policy } from "./policy.ts";
import type { Verdict } from "./result.ts";

/**
 * Sends one change. If the policy is exact, an update or delete first reads the website again. If it is no longer what
 * the plan shows, nothing is sent, and the entity tag covers the time until the service has the change.
 *
 * @param password the password to send, if the change sends one
 * @throws CliError `changed_meanwhile`, `entity_tag_missing`, if the policy is exact
 * @throws SitewardError
 */
export async function sendChange(
  siteward: Siteward,
  change: Change,
  { isExact, password }: Pick<Policy, "isExact"> & { readonly password: string | undefined },
): Promise<Verdict> {
  try {
    switch (change.action) {
      case "create":
        return await create(siteward, change, password);
      case "update":
        return isExact ? await updateExactly(siteward, change, password) : await update(siteward, change, password);
      case "delete":
        return await remove(siteward, change);
    }
  } catch (error) {
    if (!isExact) throw error;
    return afterPlan(error, change);
  }
}

async function create(siteward: Siteward, change: Creation, password: string | undefined): Promise<Verdict> {
  const { domain, settings } = change;
  const { id } = await siteward.websites.create({ domain, ...settings, password });
  return { outcome: "created", id };
}

async function update(siteward: Siteward, change: Update, password: string | undefined): Promise<Verdict> {
  const { website, settings } = change;
  await siteward.websites.update(website.id, { ...settings, password });
  return { outcome: "updated", id: website.id };
}

async function updateExactly(siteward: Siteward, change: Update, password: string | undefined): Promise<Verdict> {
  const { website, settings } = change;
  const { id } = website;
  const { current, ifMatch } = await read(siteward, id);
  if (!isDeepStrictEqual(current, website)) return alreadyDone(current, change);
  try {
    await siteward.websites.update(id, { ...settings, password }, { ifMatch });
    return { outcome: "updated", id };
  } catch (error) {
    if (!isApiError(error, "precondition_failed")) throw error;
    // Somebody else changed the website, or this change was done and its response was lost, so that it was sent twice.
    return alreadyDone((await read(siteward, id)).current, change);
  }
}

/**
 * @throws CliError `changed_meanwhile` if the website is not as the change makes it; of a new password, nobody can tell
 */
function alreadyDone(current: Website, change: Update): Verdict {
  const { website, settings, password } = change;
  const wanted = completeSettings({ ...website, ...settings });
  const hasPassword = password === undefined || (settings.privacy !== undefined && current.has_password);
  if (!hasPassword || !isDeepStrictEqual(completeSettings(current), wanted))
    throw changedMeanwhile(change, "was changed");
  return { outcome: "unchanged", id: website.id, reason: "was changed to the settings of the file meanwhile" };
}

async function remove(siteward: Siteward, change: Deletion): Promise<Verdict> {
  const { id } = change.website;
  const { current, ifMatch } = await read(siteward, id);
  if (!isDeepStrictEqual(current, change.website)) throw changedMeanwhile(change, "was changed");
  await siteward.websites.delete(id, { ifMatch });
  return { outcome: "deleted", id };
}

async function read(siteward: Siteward, id: number): Promise<{ current: Website; ifMatch: string }> {
  const { data, response } = await siteward.websites.get(id).withResponse();
  if (response.etag !== undefined) return { current: data, ifMatch: response.etag };
  throw new CliError(
    "entity_tag_missing",
    "The response has no entity tag, so a change that somebody else makes could be overwritten.",
    "Check what removes the ETag header, such as a proxy.",
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
