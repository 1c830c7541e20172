import { Readable } from "node:stream";
import { isApiError, type Siteward } from "@siteward/sdk";
import { retriesOfMany } from "../client/connect.ts";
import { mayPrompt, promptForConfirmation } from "../client/prompts.ts";
import { ifMatchFlag } from "../flags/parse.ts";
import { nameSome } from "../output/lists.ts";
import { note, warn } from "../output/notices.ts";
import type { Column } from "../output/view.ts";
import { websiteName } from "../output/website-name.ts";
import { CliError } from "../process/cli-error.ts";
import type { Deletion } from "../sync/decide.ts";
import { argumentPolicy } from "../sync/policy.ts";
import { errorOfRun } from "../sync/report.ts";
import { run } from "../sync/run.ts";
import {
  collectWebsiteReferences,
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

/** `siteward websites delete`. */
export const websitesDelete: CommandDefinition<Flags> = {
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
    if (flags.ifMatch !== undefined && !isOne) {
      const next = "With --if-match, delete one website at a time.";
      throw new CliError("usage", `An entity tag belongs to one website. ${next}`);
    }
    if (flags.yes !== true && !mayPrompt(io, flags))
      throw new CliError("confirmation_required", "Deleting cannot be undone. Confirm with --yes.");
    const output = call.openOutput();
    const siteward = await call.connect(isOne ? 0 : retriesOfMany);
    const targets = await findTargets(call, siteward, references);
    if (targets.length > 0 && flags.yes !== true && !(await isConfirmed(call, targets)))
      return await note(io, "Nothing was deleted.");
    const done = await run(io, siteward, targets, {
      label: "Deleting",
      policy: argumentPolicy({ acceptsMissing: flags.ignoreMissing === true }),
      tags: new Map(
        targets.flatMap(({ website: { id } }) => (flags.ifMatch === undefined ? [] : [[id, flags.ifMatch]])),
      ),
    });
    const records = targets.flatMap(({ website: { id, domain = null } }, index): readonly DeletionRecord[] =>
      done.results[index]?.outcome === "deleted" ? [{ id, domain, deleted: true }] : [],
    );
    const error = errorOfRun(done, { again, namesRest: !isOne });
    if (records.length > 0 || error === undefined) await output.list(Readable.from(records));
    if (error !== undefined) throw error;
  },
};

const again = "Run the command again with --ignore-missing to delete the rest.";

/** Reads the websites, so that a wrong ID or domain is found before the first is deleted. */
async function findTargets(
  { io, flags }: Call<Flags>,
  siteward: Siteward,
  references: readonly WebsiteReference[],
): Promise<readonly Deletion[]> {
  const action = "delete";
  try {
    const { found, missing } = await findWebsites(siteward, references);
    if (flags.ignoreMissing !== true) refuseMissing(missing, ", or delete those that exist with --ignore-missing");
    else if (missing.length > 0) await warn(io, flags, `Does not exist: ${nameSome(missing)}.`);
    return found.map(({ name, website }) => ({ action, domain: name, website }));
  } catch (error) {
    const ids = references.flatMap((reference) => ("id" in reference ? [reference.id] : []));
    // A key that can delete but not read can still delete by ID, without a prompt that would show the domain.
    if (flags.yes !== true || ids.length < references.length || !isApiError(error, "insufficient_scope")) throw error;
    return [...new Set(ids)].map((id) => ({ action, domain: String(id), website: { id } }));
  }
}

const maxNamedInPrompt = 10;

async function isConfirmed({ io, flags }: Call<Flags>, targets: readonly Deletion[]): Promise<boolean> {
  const names = await Promise.all(
    targets.map(({ website: { id, domain = "" } }) => websiteName({ id, domain }, flags)),
  );
  const count = targets.length === 1 ? "" : `${targets.length} websites: `;
  const named = nameSome(names, maxNamedInPrompt);
  return await promptForConfirmation(io, `Delete ${count}${named}? This cannot be undone.`);
}
