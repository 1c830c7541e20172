import { Readable } from "node:stream";
import { isApiError, type Siteward, type UpdateWebsite, type Website } from "@siteward/sdk";
import { connect, retriesOfMany } from "../client/connect.ts";
import { mayPrompt, promptForPassword } from "../client/prompts.ts";
import { addFieldFlags, readFieldFlags } from "../flags/field-flags.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { ifMatchFlag, readCondition } from "../flags/request-flags.ts";
import { note, showsNotes, warn } from "../output/notices.ts";
import { type Output, openOutput } from "../output/output.ts";
import { websiteName } from "../output/website-name.ts";
import { CliError } from "../process/cli-error.ts";
import type { Io } from "../process/io.ts";
import type { Update } from "../sync/decide.ts";
import { argumentPolicy } from "../sync/policy.ts";
import { errorOfRun } from "../sync/report.ts";
import { run } from "../sync/run.ts";
import { editLists } from "../websites/edit-lists.ts";
import { findWebsite } from "../websites/find-website.ts";
import { findWebsites } from "../websites/find-websites.ts";
import { addListEditFlags, type ListEdits, readListEdits } from "../websites/list-edit-flags.ts";
import { updateWebsite } from "../websites/update-website.ts";
import { websiteFlags } from "../websites/website-flags.ts";
import { collectWebsiteReferences, type WebsiteReference } from "../websites/website-reference.ts";
import { websiteView } from "../websites/website-view.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

/** Sets up `siteward websites update`. */
export const websitesUpdate: CommandSetup = (command, io) => {
  const withSettings = addFieldFlags(
    command.argument("<website...>", "IDs or domains of the websites", collectWebsiteReferences),
    websiteFlags,
  );
  addListEditFlags(withSettings)
    .addOption(ifMatchFlag.options[0])
    .addHelpText("after", `\n${settingsHelp}\n${examples(exampleLines)}`)
    .action(async (references: readonly [WebsiteReference, ...WebsiteReference[]]) => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      const output = openOutput(io, flags, websiteView);
      const fields = await readFieldFlags<UpdateWebsite>(websiteFlags, command, io);
      const edits = await readListEdits(command.opts());
      if (Object.values({ ...fields, ...edits }).every((value) => value === undefined)) {
        throw new CliError("usage", "Nothing to change. Pass at least one setting.");
      }
      const condition = readCondition(command.opts());
      const [reference, ...others] = references;
      if (others.length > 0) {
        if (condition.ifMatch !== undefined) throw tagOfOne();
        const siteward = await connect(io, flags, retriesOfMany);
        return await updateSeveral(io, flags, { siteward, references, fields, edits, output });
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
        condition,
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
  return websiteView;
};

const settingsHelp = `\
Settings that you omit do not change. An empty value clears a list. --add-… and
--remove-… change single entries of a list, also if somebody else changes the
website at the same time.

Several websites get the same changes, in order, and the result is an array. The
command reads all of them first: if one does not exist, nothing is changed. It
waits while the rate limit refuses requests, stops at any other failure, and
names the rest.`;

const exampleLines = [
  "siteward websites update example.com --privacy private --email on",
  "siteward websites update example.com --add-exclude-ips 203.0.113.7 --remove-exclude-params ref",
  "siteward websites update 7 8 example.org --add-exclude-params utm_*",
  'siteward websites update 7 --exclude-ips "$(cat office-networks.txt)"',
  "siteward websites update 7 --exclude-params ''",
  "siteward websites update 7 --privacy private --if-match 1-7-3",
];

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

function tagOfOne(): CliError {
  const message = "An entity tag belongs to one website. With --if-match, update one website at a time.";
  return new CliError("usage", message);
}

/** What to change in each of several websites. */
interface SeveralUpdates {
  readonly siteward: Siteward;
  readonly references: readonly WebsiteReference[];
  readonly fields: UpdateWebsite;
  readonly edits: ListEdits;
  readonly output: Output;
}

/** Updates several websites, and prints what was updated, also before a failure. Finds first that all of them exist. */
async function updateSeveral(
  io: Io,
  flags: GlobalFlags,
  { siteward, references, fields: { password, ...stated }, edits, output }: SeveralUpdates,
): Promise<void> {
  // The flags have the values of the settings.
  const settings = stated as Update["settings"];
  const { found } = await findWebsites(siteward, references);
  const absent = found.flatMap(({ name, website }) =>
    editLists(website, edits).missing.map(({ field, entry }) => `${name}: ${field} does not contain ${entry}`),
  );
  if (absent.length > 0) await warn(io, flags, { head: "These entries are not there:", things: absent });
  const websites: Website[] = [];
  const done = await run(
    io,
    siteward,
    found.map(({ name, website }) => ({ action: "update", domain: name, website, settings, edits })),
    {
      label: "Updating",
      policy: argumentPolicy({ acceptsMissing: false }),
      passwords: new Map(password === undefined ? [] : found.map(({ name }) => [name, password])),
      onWebsite: (website) => websites.push(website),
    },
  );
  if (websites.length > 0) await output.list(Readable.from(websites));
  const error = errorOfRun(done, { again: "Run the command again to update the rest.", namesRest: true });
  if (error !== undefined) throw error;
  await note(io, `Updated ${websites.length} websites.`);
}
