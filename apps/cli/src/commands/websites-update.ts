import { isDeepStrictEqual } from "node:util";
import { isApiError, type UpdateWebsite } from "@siteward/sdk";
import { retriesOfMany } from "../client/connect.ts";
import { mayPrompt, promptForPassword } from "../client/prompts.ts";
import { conditionOf, ifMatchFlag, notForSeveral } from "../flags/parse.ts";
import { websiteName } from "../output/domain-text.ts";
import { note, warn } from "../output/notices.ts";
import type { Output } from "../output/output.ts";
import { CliError } from "../process/cli-error.ts";
import type { Update } from "../sync/decide.ts";
import {
  collectWebsiteReferences,
  findWebsite,
  findWebsiteId,
  findWebsites,
  refuseMissing,
  type WebsiteReference,
} from "../websites/find-website.ts";
import { addListEditFlags, type ListEdits, readListEdits } from "../websites/list-edit-flags.ts";
import { describeAbsent, updateWebsite } from "../websites/update-website.ts";
import { addWebsiteFlags, lacksPassword, readWebsiteFlags, type WebsiteFlags } from "../websites/website-flags.ts";
import { websiteView } from "../websites/website-view.ts";
import { changeSeveral } from "./change-several.ts";
import type { Call, CommandDefinition } from "./command.ts";

interface Flags extends WebsiteFlags {
  readonly ifMatch?: string;
}

/** `siteward websites update`. */
export const command: CommandDefinition<Flags> = {
  declare: (command) => {
    command.argument("<website...>", "IDs or domains of the websites", collectWebsiteReferences);
    return addListEditFlags(addWebsiteFlags(command)).option(...ifMatchFlag);
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
    const fields = await readWebsiteFlags(call.io, call.flags);
    const edits = readListEdits(call.flags);
    if (Object.keys({ ...fields, ...edits }).length === 0)
      throw new CliError("usage", "Nothing to change. Pass at least one setting.");
    const [reference, ...others] = references;
    if (reference !== undefined && others.length === 0)
      return await updateOne(call, output, { reference, fields, edits });
    if (call.flags.ifMatch !== undefined) throw notForSeveral("--if-match", "An entity tag", "update");
    await updateSeveral(call, output, { references, fields, edits });
  },
};

interface Change {
  readonly fields: UpdateWebsite;
  readonly edits: ListEdits;
}

async function updateOne(
  { io, flags, connect }: Call<Flags>,
  output: Output,
  { reference, fields, edits }: Change & { readonly reference: WebsiteReference },
): Promise<void> {
  const siteward = await connect();
  const isRead = "domain" in reference || Object.keys(edits).length > 0;
  const found = isRead ? await findWebsite(siteward, reference) : undefined;
  for (const fault of found === undefined ? [] : describeAbsent(found, edits)) await warn(io, `${fault}.`);
  const id = found?.id ?? (await findWebsiteId(siteward, reference));
  const update = (sent: UpdateWebsite) =>
    updateWebsite(siteward, id, { fields: sent, edits, condition: conditionOf(flags) });
  const website = await update(fields).catch(async (error: unknown) => {
    // Only the service knows if a password is stored.
    if (!isPasswordMissing(error, fields) || !mayPrompt(io, flags)) throw error;
    return await update({ ...fields, password: await promptForPassword(io) });
  });
  await output.one(website);
  await note(
    io,
    `${isDeepStrictEqual(website, found) ? "Nothing changed in" : "Updated"} ${websiteName(website, flags)}.`,
  );
}

function isPasswordMissing(error: unknown, fields: UpdateWebsite): boolean {
  if (!lacksPassword(fields)) return false;
  return isApiError(error, "validation_failed") && Object.keys(error.errors).join() === "password";
}

async function updateSeveral(
  { io, connect }: Call<Flags>,
  output: Output,
  { references, fields: { password, ...stated }, edits }: Change & { readonly references: readonly WebsiteReference[] },
): Promise<void> {
  const siteward = await connect(retriesOfMany);
  const { found, missing } = await findWebsites(siteward, references);
  refuseMissing(missing);
  const absent = found.flatMap(({ name, website }) => describeAbsent(website, edits).map((text) => `${name}: ${text}`));
  if (absent.length > 0) await warn(io, { head: "These entries are not there:", things: absent });
  // The flags have the values of the settings.
  const settings = stated as Update["settings"];
  await changeSeveral(io, siteward, output, {
    changes: found.map(({ name, website }) => ({ action: "update", domain: name, website, settings, edits })),
    password,
    words: ["Updating", "Updated"],
    again: "Run the command again to update the rest.",
  });
}
