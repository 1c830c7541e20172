import { parseDomain } from "@siteward/contract/domain";
import { isApiError, type Siteward, type UpdateWebsite, type Website } from "@siteward/sdk";
import { Option } from "commander";
import { connect } from "../client/connect.ts";
import { CliError } from "../errors/cli-error.ts";
import { addFieldFlags, readFieldFlags } from "../flags/field-flags.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { ifMatchFlag, readCondition } from "../flags/request-flags.ts";
import { promptForPassword } from "../input/prompt-for-password.ts";
import { mayPrompt } from "../input/prompts.ts";
import { note, showsNotes, warn } from "../output/notices.ts";
import { openOutput } from "../output/output.ts";
import { websiteName } from "../output/website-name.ts";
import type { Io } from "../process/io.ts";
import { addListEditFlags, readListEdits } from "../settings/list-edit-flags.ts";
import { websiteFlags } from "../settings/website-flags.ts";
import { websiteView } from "../settings/website-view.ts";
import { findWebsite } from "../websites/find-website.ts";
import { updateWebsite } from "../websites/update-website.ts";
import { nameOfReference, parseWebsiteReference, type WebsiteReference } from "../websites/website-reference.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

/** Sets up `siteward websites update`. */
export const websitesUpdate: CommandSetup = (command, io) => {
  const withSettings = addFieldFlags(
    command.argument("<website>", "ID or domain of the website", parseWebsiteReference),
    websiteFlags,
  );
  addListEditFlags(withSettings)
    .addOption(ifMatchFlag.options[0])
    .addOption(new Option("--domain <domain>").hideHelp())
    .addHelpText("after", `\n${settingsHelp}\n${examples(exampleLines)}`)
    .action(async (reference: WebsiteReference) => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      refuseDomain(command.opts(), reference);
      const output = openOutput(io, flags, websiteView);
      const fields = await readFieldFlags<UpdateWebsite>(websiteFlags, command, io);
      const edits = await readListEdits(command.opts());
      if (Object.values({ ...fields, ...edits }).every((value) => value === undefined)) {
        throw new CliError("usage", "Nothing to change. Pass at least one setting.");
      }
      const siteward = await connect(io, flags);
      const target = await findTarget(io, siteward, reference);
      const {
        before = target.before,
        after,
        changes,
      } = await updateWebsite(siteward, target.id, {
        fields,
        edits,
        condition: readCondition(command.opts()),
        prompt: mayPrompt(io, flags) ? () => promptForPassword(io) : undefined,
      });
      await output.one(after);
      for (const { field, entry } of changes.missing) await warn(io, flags, `${field} does not contain ${entry}.`);
      for (const { field, entry } of changes.present) await note(io, `${field} already contains ${entry}.`);
      const name = await websiteName(after, flags);
      await note(
        io,
        hasChanged(before, after, fields) ? `Updated ${name}.` : `Nothing changed. ${name} already has these settings.`,
      );
    });
};

const settingsHelp = `\
Settings that you omit do not change. An empty value clears a list. --add-… and --remove-… change single entries of a
list, also if somebody else changes the website at the same time.`;

const exampleLines = [
  "siteward websites update example.com --privacy private --email on",
  "siteward websites update example.com --add-exclude-ips 203.0.113.7 --remove-exclude-params ref",
  "siteward websites update 7 --exclude-ips-file office-networks.txt",
  "siteward websites update 7 --exclude-params ''",
  "siteward websites update 7 --privacy private --if-match 1-7-3",
];

/** Commander would suggest --email. */
function refuseDomain({ domain }: { readonly domain?: string }, reference: WebsiteReference): void {
  if (domain === undefined) return;
  // Only a domain can be pasted into a shell as it is.
  const name = parseDomain(domain).ok ? domain.trim() : "<domain>";
  throw new CliError(
    "usage",
    "The domain of a website cannot be changed.",
    `To move the website, run \`siteward websites create ${name}\` with its settings, ` +
      `then \`siteward websites delete ${nameOfReference(reference)}\`.`,
  );
}

interface Target {
  readonly id: number;
  /** The website before the change; undefined if it was not read. */
  readonly before: Website | undefined;
}

/** Reads the website if its domain must be looked up, or if a person reads whether something changed. */
async function findTarget(io: Io, siteward: Siteward, reference: WebsiteReference): Promise<Target> {
  if ("domain" in reference) {
    const before = await findWebsite(siteward, reference);
    return { id: before.id, before };
  }
  const { id } = reference;
  return { id, before: showsNotes(io) ? await readIfAllowed(siteward, id) : undefined };
}

/** Returns the website, or undefined if the API key can only write. */
async function readIfAllowed(siteward: Siteward, id: number): Promise<Website | undefined> {
  try {
    return await siteward.websites.get(id);
  } catch (error) {
    if (isApiError(error, "insufficient_scope")) return undefined;
    throw error;
  }
}

/** No record shows a password, so one that is sent counts as a change. So does what cannot be compared. */
function hasChanged(before: Website | undefined, after: Website, { password }: UpdateWebsite): boolean {
  return before === undefined || password !== undefined || settingsText(before) !== settingsText(after);
}

function settingsText({ updated_at: _changesWithThem, ...settings }: Website): string {
  return JSON.stringify(Object.entries(settings).toSorted());
}
