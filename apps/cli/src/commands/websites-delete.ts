import { Readable } from "node:stream";
import { isApiError, type Siteward } from "@siteward/sdk";
import { connect } from "../client/connect.ts";
import { CliError } from "../errors/cli-error.ts";
import { presenceFlag } from "../flags/flag.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { ifMatchFlag, readCondition } from "../flags/request-flags.ts";
import { mayPrompt, promptForConfirmation } from "../input/prompts.ts";
import { note } from "../output/notices.ts";
import { openOutput } from "../output/output.ts";
import type { Column } from "../output/view.ts";
import { websiteName } from "../output/website-name.ts";
import type { Io } from "../process/io.ts";
import { announcedInterruption } from "../progress/announced-interruption.ts";
import { websiteView } from "../settings/website-view.ts";
import { findWebsites } from "../websites/find-websites.ts";
import { runInOrder } from "../websites/run-in-order.ts";
import { collectWebsiteReferences, type WebsiteReference } from "../websites/website-reference.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

const yesFlag = presenceFlag("-y, --yes", "skip the confirmation prompt; required in scripts");

/** The result for one deleted website. */
interface Deletion {
  readonly id: number;
  /** Null if the API key cannot read websites. */
  readonly domain: string | null;
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
    .addOption(ifMatchFlag.options[0])
    .addHelpText("after", `\n${resultHelp}\n${examples(exampleLines)}`)
    .action(async (references: readonly WebsiteReference[]) => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      const isConfirmed = yesFlag.read(command.opts()) === true;
      const condition = readCondition(command.opts());
      if (condition.ifMatch !== undefined && references.length > 1) {
        throw new CliError(
          "usage",
          "An entity tag belongs to one website. With --if-match, delete one website at a time.",
        );
      }
      if (!isConfirmed && !mayPrompt(io, flags)) {
        throw new CliError("confirmation_required", "Deleting cannot be undone. Confirm with --yes.");
      }
      const output = openOutput(io, flags, deletionView);
      const siteward = await connect(io, flags);
      const targets = await findTargets(siteward, references, isConfirmed);
      if (!isConfirmed && !(await confirm(io, flags, targets))) {
        await note(io, "Nothing was deleted.");
        return;
      }
      const { results, stop } = await runInOrder(announcedInterruption(io), targets, {
        name: ({ name }) => name,
        run: async ({ id, domain }): Promise<Deletion> => {
          await siteward.websites.delete(id, condition);
          return { id, domain, deleted: true };
        },
      });
      if (results.length > 0) await output.list(Readable.from(results));
      if (stop !== undefined) throw stop;
    });
};

const resultHelp = `\
If one of the websites does not exist, nothing is deleted. The result lists each website that was deleted. The command
stops at the first failure.`;

const exampleLines = [
  "siteward websites delete example.com",
  "siteward websites delete 7 8 example.org --yes",
  "siteward websites delete 7 --if-match 1-7-3",
];

interface Target extends Pick<Deletion, "id" | "domain"> {
  /** As the user named it. */
  readonly name: string;
}

/** Reads the websites, so that a wrong ID or domain is found before the first is deleted. */
async function findTargets(
  siteward: Siteward,
  references: readonly WebsiteReference[],
  isConfirmed: boolean,
): Promise<readonly Target[]> {
  try {
    const websites = await findWebsites(siteward, references);
    return websites.map(({ name, website: { id, domain } }) => ({ name, id, domain }));
  } catch (error) {
    const ids = references.flatMap((reference) => ("id" in reference ? [reference.id] : []));
    // A key that can delete but not read can still delete by ID, without a prompt that would show the domain.
    if (!isConfirmed || ids.length < references.length || !isApiError(error, "insufficient_scope")) throw error;
    return [...new Set(ids)].map((id) => ({ name: String(id), id, domain: null }));
  }
}

const maxNamedInPrompt = 10;

async function confirm(io: Io, flags: GlobalFlags, targets: readonly Target[]): Promise<boolean> {
  const names: string[] = [];
  for (const { id, domain } of targets.slice(0, maxNamedInPrompt)) {
    names.push(await websiteName({ id, domain: domain ?? "" }, flags));
  }
  const rest = targets.length - maxNamedInPrompt;
  const count = targets.length === 1 ? "" : `${targets.length} websites: `;
  const named = `${count}${names.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  return await promptForConfirmation(io, `Delete ${named}? This cannot be undone.`);
}
