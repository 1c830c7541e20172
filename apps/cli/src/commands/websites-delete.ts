import { Readable } from "node:stream";
import { isApiError, type Siteward } from "@siteward/sdk";
import type { Command } from "commander";
import { connect } from "../client/connect.ts";
import { retriesOfMany } from "../client/create-client.ts";
import { CliError } from "../errors/cli-error.ts";
import { presenceFlag } from "../flags/flag.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { ifMatchFlag, readCondition } from "../flags/request-flags.ts";
import { mayPrompt, promptForConfirmation } from "../input/prompts.ts";
import { nameSome } from "../output/name-some.ts";
import { note, warn } from "../output/notices.ts";
import { openOutput } from "../output/output.ts";
import type { Column } from "../output/view.ts";
import { websiteName } from "../output/website-name.ts";
import type { Io } from "../process/io.ts";
import { startProgress } from "../progress/start-progress.ts";
import { websiteView } from "../settings/website-view.ts";
import { type DeleteOptions, deleteSeveral, type Target } from "../sync/delete-several.ts";
import { findWebsites } from "../websites/find-websites.ts";
import { collectWebsiteReferences, type WebsiteReference } from "../websites/website-reference.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

const yesFlag = presenceFlag("-y, --yes", "skip the confirmation prompt; required in scripts");
const ignoreMissingFlag = presenceFlag("--ignore-missing", "delete those that exist, and accept that others do not");

/** The result for one deleted website. */
interface Deletion extends Pick<Target, "id" | "domain"> {
  readonly deleted: true;
}

const deletionView = {
  id: websiteView.id,
  domain: websiteView.domain,
  deleted: { title: "Deleted", inList: true, show: () => "yes" },
} satisfies Record<keyof Deletion, Column>;

/** Sets up `siteward websites delete`. */
export const websitesDelete: CommandSetup = (command, io) => {
  command
    .argument("<website...>", "IDs or domains of the websites", collectWebsiteReferences)
    .addOption(yesFlag.options[0])
    .addOption(ignoreMissingFlag.options[0])
    .addOption(ifMatchFlag.options[0])
    .addHelpText("after", `\n${resultHelp}\n${examples(exampleLines)}`)
    .action(async (references: readonly WebsiteReference[]) => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      const request = readRequest(command, references);
      if (!request.isConfirmed && !mayPrompt(io, flags)) {
        throw new CliError("confirmation_required", "Deleting cannot be undone. Confirm with --yes.");
      }
      const output = openOutput(io, flags, deletionView);
      const siteward = await connect(io, flags, references.length > 1 ? retriesOfMany : 0);
      const { targets, missing } = await findTargets(io, siteward, references, request);
      if (missing.length > 0) await warn(io, flags, `Does not exist: ${nameSome(missing)}.`);
      if (!(await isAgreed(io, flags, request, targets))) {
        await note(io, "Nothing was deleted.");
        return;
      }
      const { deleted, error } = await deleteSeveral(io, siteward, targets, request);
      const records = deleted.map(({ id, domain }): Deletion => ({ id, domain, deleted: true }));
      if (records.length > 0 || error === undefined) await output.list(Readable.from(records));
      if (error !== undefined) throw error;
    });
};

const resultHelp = `\
The command reads all websites first. If one of them does not exist, nothing is deleted, unless you pass --ignore-missing.
The result lists each website that was deleted. Deletes wait while the rate limit refuses them. The command stops at any
other failure, and names the rest. To do the rest, run it again with --ignore-missing.`;

const exampleLines = [
  "siteward websites delete example.com",
  "siteward websites delete 7 8 example.org --yes",
  "siteward websites delete 7 8 example.org --yes --ignore-missing",
  "siteward websites delete 7 --if-match 1-7-3",
];

/** What was requested about all of the websites. */
interface Request extends DeleteOptions {
  readonly isConfirmed: boolean;
}

function readRequest(command: Command, { length }: readonly WebsiteReference[]): Request {
  const values = command.opts();
  const condition = readCondition(values);
  if (condition.ifMatch !== undefined && length > 1) {
    throw new CliError("usage", "An entity tag belongs to one website. With --if-match, delete one website at a time.");
  }
  return {
    condition,
    isConfirmed: yesFlag.read(values) === true,
    isMissingIgnored: ignoreMissingFlag.read(values) === true,
  };
}

interface Targets {
  readonly targets: readonly Target[];
  /** The names of the websites that do not exist. */
  readonly missing: readonly string[];
}

/** Reads the websites, so that a wrong ID or domain is found before the first is deleted. */
async function findTargets(
  io: Io,
  siteward: Siteward,
  references: readonly WebsiteReference[],
  { isConfirmed, isMissingIgnored }: Request,
): Promise<Targets> {
  using _progress = startProgress(io, { label: "Reading the websites" });
  try {
    const { found, missing } = await findWebsites(siteward, references, { isMissingIgnored });
    return { targets: found.map(({ name, website: { id, domain } }) => ({ name, id, domain })), missing };
  } catch (error) {
    const ids = references.flatMap((reference) => ("id" in reference ? [reference.id] : []));
    // A key that can delete but not read can still delete by ID, without a prompt that would show the domain.
    if (!isConfirmed || ids.length < references.length || !isApiError(error, "insufficient_scope")) throw error;
    return { targets: [...new Set(ids)].map((id) => ({ name: String(id), id, domain: null })), missing: [] };
  }
}

const maxNamedInPrompt = 10;

async function isAgreed(
  io: Io,
  flags: GlobalFlags,
  { isConfirmed }: Request,
  targets: readonly Target[],
): Promise<boolean> {
  if (isConfirmed || targets.length === 0) return true;
  const names = await Promise.all(targets.map(({ id, domain }) => websiteName({ id, domain: domain ?? "" }, flags)));
  const count = targets.length === 1 ? "" : `${targets.length} websites: `;
  const named = nameSome(names, maxNamedInPrompt);
  return await promptForConfirmation(io, `Delete ${count}${named}? This cannot be undone.`);
}
