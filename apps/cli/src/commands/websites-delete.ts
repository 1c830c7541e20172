import { Readable } from "node:stream";
import { type ChangeOptions, isApiError, type Siteward } from "@siteward/sdk";
import type { Command } from "commander";
import { connect, retriesOfMany } from "../client/connect.ts";
import { mayPrompt, promptForConfirmation } from "../client/prompts.ts";
import { presenceFlag } from "../flags/flag.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { ifMatchFlag, readCondition } from "../flags/request-flags.ts";
import { nameSome } from "../output/lists.ts";
import { note, warn } from "../output/notices.ts";
import { openOutput } from "../output/output.ts";
import { startProgress } from "../output/progress.ts";
import type { Column } from "../output/view.ts";
import { websiteName } from "../output/website-name.ts";
import { CliError } from "../process/cli-error.ts";
import type { Io } from "../process/io.ts";
import type { Deletion } from "../sync/decide.ts";
import { argumentPolicy } from "../sync/policy.ts";
import { errorOfRun } from "../sync/report.ts";
import { type Run, run } from "../sync/run.ts";
import { sendChange } from "../sync/send.ts";
import { findWebsites } from "../websites/find-websites.ts";
import { collectWebsiteReferences, type WebsiteReference } from "../websites/website-reference.ts";
import { websiteView } from "../websites/website-view.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

const yesFlag = presenceFlag("-y, --yes", "skip the confirmation prompt; required in scripts");
const ignoreMissingFlag = presenceFlag("--ignore-missing", "ignore websites that do not exist");

/** The result for one deleted website. */
interface DeletionRecord {
  readonly id: number;
  /** Null if the API key cannot read websites. */
  readonly domain: string | null;
  readonly deleted: true;
}

const deletionView = {
  id: websiteView.id,
  domain: websiteView.domain,
  deleted: { title: "Deleted", inList: true, show: () => "yes" },
} satisfies Record<keyof DeletionRecord, Column>;

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
      const { results, error } = await deleteAll(io, siteward, targets, request);
      const records = targets.flatMap(({ website: { id, domain = null } }, index): readonly DeletionRecord[] =>
        results[index]?.outcome === "deleted" ? [{ id, domain, deleted: true }] : [],
      );
      if (records.length > 0 || error === undefined) await output.list(Readable.from(records));
      if (error !== undefined) throw error;
    });
  return deletionView;
};

const resultHelp = `\
The command reads all websites first. If one of them does not exist, nothing is
deleted, unless you pass --ignore-missing. The result lists each website that
was deleted. Deletes wait while the rate limit refuses them. The command stops
at any other failure, and names the rest. To do the rest, run it again with
--ignore-missing.`;

const exampleLines = [
  "siteward websites delete example.com",
  "siteward websites delete 7 8 example.org --yes",
  "siteward websites delete 7 8 example.org --yes --ignore-missing",
  "siteward websites delete 7 --if-match 1-7-3",
];

/** What was requested about all of the websites. */
interface Request {
  readonly condition: ChangeOptions;
  readonly isConfirmed: boolean;
  /** Whether a website that is gone counts as done. */
  readonly isMissingIgnored: boolean;
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
  readonly targets: readonly Deletion[];
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
  const action = "delete";
  try {
    const { found, missing } = await findWebsites(siteward, references, { isMissingIgnored, advice });
    return { targets: found.map(({ name, website }) => ({ action, domain: name, website })), missing };
  } catch (error) {
    const ids = references.flatMap((reference) => ("id" in reference ? [reference.id] : []));
    // A key that can delete but not read can still delete by ID, without a prompt that would show the domain.
    if (!isConfirmed || ids.length < references.length || !isApiError(error, "insufficient_scope")) throw error;
    return { targets: [...new Set(ids)].map((id) => ({ action, domain: String(id), website: { id } })), missing: [] };
  }
}

const advice = ", or delete those that exist with --ignore-missing";

const maxNamedInPrompt = 10;

async function isAgreed(
  io: Io,
  flags: GlobalFlags,
  { isConfirmed }: Request,
  targets: readonly Deletion[],
): Promise<boolean> {
  if (isConfirmed || targets.length === 0) return true;
  const names = await Promise.all(
    targets.map(({ website: { id, domain = "" } }) => websiteName({ id, domain }, flags)),
  );
  const count = targets.length === 1 ? "" : `${targets.length} websites: `;
  const named = nameSome(names, maxNamedInPrompt);
  return await promptForConfirmation(io, `Delete ${count}${named}? This cannot be undone.`);
}

/** Deletes the websites in order. What the delete of a single one throws is thrown as it is. */
async function deleteAll(
  io: Io,
  siteward: Siteward,
  targets: readonly Deletion[],
  { condition: { ifMatch }, isMissingIgnored }: Request,
): Promise<Pick<Run, "results"> & { readonly error?: unknown }> {
  const policy = argumentPolicy({ acceptsMissing: isMissingIgnored });
  const [only, ...others] = targets;
  if (only !== undefined && others.length === 0)
    return { results: [await sendChange(siteward, only, { policy, ifMatch })] };
  const done = await run(io, siteward, targets, { label: "Deleting", policy });
  return { results: done.results, error: errorOfRun(done, { again, namesRest: true }) };
}

const again = "Run the command again with --ignore-missing to delete the rest.";
