import { isDeepStrictEqual } from "node:util";
import { isApiError, Privacy, type Siteward, type UpdateWebsite, type Website } from "@siteward/sdk";
import { countExposure, type Edit, fieldsOf, runChanges, type Update } from "@siteward/sdk/bulk";
import { retriesOfMany } from "../client/connect.ts";
import { mayPrompt, promptForPassword } from "../client/prompts.ts";
import { conditionOf, ifMatchFlag, notForSeveral } from "../flags/parse.ts";
import { websiteName } from "../output/domain-text.ts";
import { note, warn } from "../output/notices.ts";
import type { Output } from "../output/output.ts";
import { CliError } from "../process/cli-error.ts";
import { exposureOf } from "../sync/exposure.ts";
import { argumentPolicy } from "../sync/policy.ts";
import { causeOf } from "../sync/verdict.ts";
import {
  collectWebsiteReferences,
  findWebsite,
  findWebsiteId,
  findWebsites,
  refuseMissing,
  type WebsiteReference,
} from "../websites/find-website.ts";
import { addListEditFlags, describeAbsent, readListEdits } from "../websites/list-edit-flags.ts";
import { addWebsiteFlags, lacksPassword, readWebsiteFlags, type WebsiteFlags } from "../websites/website-flags.ts";
import { websiteView } from "../websites/website-view.ts";
import { changeSeveral } from "./change-several.ts";
import type { Call, CommandDefinition } from "./command.ts";
import { allowPublicFlag, type ConsentFlags, mayExpose } from "./consent.ts";

interface Flags extends WebsiteFlags, ConsentFlags {
  readonly ifMatch?: string;
}

/** `siteward websites update`. */
export const command: CommandDefinition<Flags> = {
  declare: (command) => {
    command.argument("<website...>", "IDs or domains of the websites", collectWebsiteReferences);
    return addListEditFlags(addWebsiteFlags(command))
      .option(...ifMatchFlag)
      .option(...allowPublicFlag);
  },
  help: `\
Settings that you omit do not change. An empty value clears a list. --add-… and
--remove-… change single entries of a list, also if somebody else changes the
website at the same time.

Several websites get the same changes, in order, and the result is an array. The
command reads all of them first: if one does not exist, nothing is changed. It
waits while the rate limit refuses requests, stops at any other failure, and
names the rest.`,
  examples: [
    "siteward websites update example.com --privacy private --email on",
    "siteward websites update example.com --add-exclude-ips 203.0.113.7 --remove-exclude-params ref",
    "siteward websites update 7 8 example.org --add-exclude-params utm_*",
    'siteward websites update 7 --exclude-ips "$(cat office-networks.txt)"',
    "siteward websites update 7 --exclude-params ''",
    "siteward websites update 7 --privacy private --if-match 1-7-3",
  ],
  view: websiteView,
  run: async (call, references: readonly WebsiteReference[]) => {
    const output = call.openOutput();
    const set = await readWebsiteFlags(call.io, call.flags);
    const edits = readListEdits(call.flags);
    if (Object.keys({ ...set, ...edits }).length === 0)
      throw new CliError("usage", "Nothing to change. Pass at least one setting.");
    const edit = { set, ...edits };
    const [reference, ...others] = references;
    if (reference !== undefined && others.length === 0) return await updateOne(call, output, reference, edit);
    if (call.flags.ifMatch !== undefined) throw notForSeveral("--if-match", "An entity tag", "update");
    await updateSeveral(call, output, references, edit);
  },
};

/** What to change, also if nothing of it is a setting that is replaced. */
type SetEdit = Edit & { readonly set: UpdateWebsite };

const question = "Update?";
const declined = "Nothing was changed.";

/** Reads the website only if the change depends on it, for a key that can only write. */
async function updateOne(call: Call<Flags>, output: Output, reference: WebsiteReference, edit: SetEdit): Promise<void> {
  const { io, flags, connect } = call;
  const siteward = await connect();
  const { privacy = Privacy.Password } = edit.set;
  const mayOpen = privacy !== Privacy.Password && flags.allowPublic !== true;
  const isRead = "domain" in reference || edit.remove !== undefined || mayOpen;
  const found = isRead ? await findWebsite(siteward, reference) : undefined;
  for (const fault of found === undefined ? [] : describeAbsent(found, edit)) await warn(io, `${fault}.`);
  const id = found?.id ?? (await findWebsiteId(siteward, reference));
  const update = async (sent: SetEdit): Promise<Website | undefined> => {
    if (found === undefined) return await siteward.websites.update(id, sent.set, conditionOf(flags));
    const change = { action: "update", id, domain: found.domain, edit: sent } as const;
    if ((flags.ifMatch ?? "*") === "*") return await updateFound(call, siteward, change);
    if (
      !(await mayExpose(
        call,
        countExposure([change], () => found),
        question,
      ))
    )
      return undefined;
    return await siteward.websites.update(id, fieldsOf(sent, found), conditionOf(flags));
  };
  const website = await update(edit).catch(async (error: unknown) => {
    // Only the service knows if a password is stored.
    if (!isPasswordMissing(error, edit.set) || !mayPrompt(io, flags)) throw error;
    return await update({ ...edit, set: { ...edit.set, password: await promptForPassword(io) } });
  });
  if (website === undefined) return await note(io, declined);
  await output.one(website);
  const verb = isDeepStrictEqual(website, found) ? "Nothing changed in" : "Updated";
  await note(io, `${verb} ${websiteName(website, flags)}.`);
}

/** Returns the website as it is after the update; undefined if the person has declined it. */
async function updateFound(call: Call<Flags>, siteward: Siteward, change: Update): Promise<Website | undefined> {
  const websites: (Website | undefined)[] = [];
  const { end, outcomes, error } = await runChanges(siteward, [change], {
    maxRetries: call.flags.retries ?? 0,
    consent: (exposure) => mayExpose(call, exposure, question),
    onOutcome: (_outcome, _index, updated) => websites.push(updated),
  });
  const [[website], [outcome]] = [websites, outcomes];
  if (website !== undefined || end === "declined") return website;
  throw error ?? (outcome && causeOf(outcome, argumentPolicy()));
}

function isPasswordMissing(error: unknown, set: UpdateWebsite): boolean {
  if (!lacksPassword(set)) return false;
  return isApiError(error, "validation_failed") && Object.keys(error.errors).join() === "password";
}

async function updateSeveral(
  call: Call<Flags>,
  output: Output,
  references: readonly WebsiteReference[],
  edit: Edit,
): Promise<void> {
  const { io, flags, connect } = call;
  const siteward = await connect(retriesOfMany);
  const { found, missing } = await findWebsites(siteward, references);
  refuseMissing(missing);
  const absent = found.flatMap(({ name, website }) => describeAbsent(website, edit).map((text) => `${name}: ${text}`));
  if (absent.length > 0) await warn(io, { head: "These entries are not there:", things: absent });
  const changes = found.map(({ name: domain, ...only }) => {
    return { action: "update", id: only.website.id, domain, edit, only } as const;
  });
  const exposure = exposureOf(changes.map((change) => ({ ...change, domain: change.only.website.domain })));
  if (!(await mayExpose(call, exposure, question))) return await note(io, declined);
  await changeSeveral(io, siteward, output, {
    changes,
    retries: flags.retries,
    words: ["Updating", "Updated"],
    again: "Run the command again to update the rest.",
  });
}
