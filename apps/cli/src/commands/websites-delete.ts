import { isApiError, type Siteward, type Website } from "@siteward/sdk";
import { retriesOfMany } from "../client/connect.ts";
import { mayPrompt, promptForConfirmation } from "../client/prompts.ts";
import { ifMatchFlag, notForSeveral } from "../flags/parse.ts";
import { websiteName } from "../output/domain-text.ts";
import { nameSome } from "../output/lists.ts";
import { note, warn } from "../output/notices.ts";
import type { View } from "../output/view.ts";
import { CliError } from "../process/cli-error.ts";
import { evenIfUnread } from "../process/write-error.ts";
import { argumentPolicy } from "../sync/policy.ts";
import { errorOfRun } from "../sync/report.ts";
import { run } from "../sync/run.ts";
import {
  collectWebsiteReferences,
  type Findings,
  findWebsites,
  refuseMissing,
  type WebsiteReference,
} from "../websites/find-website.ts";
import { websiteView } from "../websites/website-view.ts";
import type { Call, CommandDefinition } from "./command.ts";

interface Flags {
  readonly yes?: true;
  /** Whether a website that is gone counts as done. */
  readonly ignoreMissing?: true;
  readonly ifMatch?: string;
}

const deletionView: View = {
  id: websiteView.id,
  domain: websiteView.domain,
  deleted: { title: "Deleted", inList: true, show: () => "yes" },
};

/** `siteward websites delete`. */
export const command: CommandDefinition<Flags> = {
  declare: (command) =>
    command
      .argument("<website...>", "IDs or domains of the websites", collectWebsiteReferences)
      .option("-y, --yes", "skip the confirmation prompt; required in scripts")
      .option("--ignore-missing", "ignore websites that do not exist")
      .option(...ifMatchFlag),
  help: `\
The command reads all websites first. If one of them does not exist, nothing is
deleted, unless you pass --ignore-missing. The result lists each website that
was deleted. Deletes wait while the rate limit refuses them. The command stops
at any other failure, and names the rest. To do the rest, run it again with
--ignore-missing.`,
  examples: [
    "siteward websites delete example.com",
    "siteward websites delete 7 8 example.org --yes",
    "siteward websites delete 7 8 example.org --yes --ignore-missing",
    "siteward websites delete 7 --if-match 1-7-3",
  ],
  view: deletionView,
  run: async (call, references: readonly WebsiteReference[]) => {
    const { io, flags } = call;
    const isOne = references.length === 1;
    if (flags.ifMatch !== undefined && !isOne) throw notForSeveral("--if-match", "An entity tag", "delete");
    if (flags.yes !== true && !mayPrompt(io, flags))
      throw new CliError("confirmation_required", "Deleting cannot be undone. Confirm with --yes.");
    const output = call.openOutput();
    const siteward = await call.connect(isOne ? 0 : retriesOfMany);
    const { found, missing } = await findTargets(siteward, references, flags);
    if (flags.ignoreMissing !== true) refuseMissing(missing, ", or delete those that exist with --ignore-missing");
    if (missing.length > 0) await warn(io, `Does not exist: ${nameSome(missing)}.`);
    const websites = found.map(({ website }) => website);
    if (found.length > 0 && flags.yes !== true && !(await isConfirmed(call, websites)))
      return await note(io, "Nothing was deleted.");
    const only = flags.ifMatch === undefined ? undefined : { tag: flags.ifMatch };
    const changes = found.map(({ name, website: { id } }) => ({ action: "delete", id, domain: name, only }) as const);
    const policy = argumentPolicy(flags.ignoreMissing);
    const retries = flags.retries ?? (isOne ? 0 : undefined);
    const done = await run(io, siteward, changes, { label: "Deleting", policy, retries });
    const deleted = websites.filter((_website, index) => done.results[index]?.outcome === "deleted");
    const error = errorOfRun(done, { again, namesRest: !isOne });
    if (deleted.length > 0 || error === undefined)
      await evenIfUnread(output.list(deleted.map(({ id, domain = null }) => ({ id, domain, deleted: true }))));
    if (error !== undefined) throw error;
  },
};

/** A website to delete, or only its ID if the API key cannot read websites. */
type Target = Pick<Website, "id"> & Partial<Website>;

/** Finds the websites. A key that cannot read can delete by ID, without a prompt. */
async function findTargets(
  siteward: Siteward,
  references: readonly WebsiteReference[],
  { yes }: Flags,
): Promise<Findings<Target>> {
  try {
    return await findWebsites(siteward, references);
  } catch (error) {
    const ids = references.flatMap((reference) => ("id" in reference ? [reference.id] : []));
    if (yes !== true || ids.length < references.length || !isApiError(error, "insufficient_scope")) throw error;
    return { found: [...new Set(ids)].map((id) => ({ name: String(id), website: { id } })), missing: [] };
  }
}

const again = "Run the command again with --ignore-missing to delete the rest.";

const maxNamedInPrompt = 10;

async function isConfirmed({ io, flags }: Call, websites: readonly Target[]): Promise<boolean> {
  const names = websites.map(({ id, domain = "" }) => websiteName({ id, domain }, flags));
  const count = websites.length === 1 ? "" : `${websites.length} websites: `;
  const named = nameSome(names, maxNamedInPrompt);
  return await promptForConfirmation(io, `Delete ${count}${named}? This cannot be undone.`);
}
