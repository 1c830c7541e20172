import { Readable } from "node:stream";
import type { ChangeOptions, Siteward, Website } from "@siteward/sdk";
import { connect } from "../client/connect.ts";
import { CliError } from "../errors/cli-error.ts";
import { presenceFlag } from "../flags/flag.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { collectIds } from "../flags/option-values.ts";
import { ifMatchFlag, readCondition } from "../flags/request-flags.ts";
import { mayPrompt, promptForConfirmation } from "../input/prompts.ts";
import { note } from "../output/notices.ts";
import { type Output, openOutput } from "../output/output.ts";
import { safeText } from "../output/safe-text.ts";
import type { Column } from "../output/view.ts";
import type { Io } from "../process/io.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

const yesFlag = presenceFlag("-y, --yes", "skip the confirmation prompt; required in scripts");

/** The result for one deleted website. */
interface Deletion {
  readonly id: number;
  readonly deleted: true;
}

const deletionView = {
  id: { title: "ID", inList: true },
  deleted: { title: "Deleted", inList: true, show: () => "yes" },
} satisfies Record<keyof Deletion, Column>;

/** Sets up `siteward websites delete`. */
export const websitesDelete: CommandSetup = (command, io) => {
  command
    .argument("<id...>", "IDs of the websites", collectIds)
    .addOption(yesFlag.options[0])
    .addOption(ifMatchFlag.options[0])
    .addHelpText(
      "after",
      `\nThe result lists each website that was deleted. The command stops at the first failure.\n${examples(exampleLines)}`,
    )
    .action(async (given: readonly number[]) => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      const isConfirmed = yesFlag.read(command.opts()) === true;
      const ids = [...new Set(given)];
      const condition = readCondition(command.opts());
      if (condition.ifMatch !== undefined && ids.length > 1) {
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
      if (!isConfirmed && !(await confirm(io, siteward, ids))) {
        await note(io, "Nothing was deleted.");
        return;
      }
      await deleteEach(siteward, { ids, condition }, output);
    });
};

const exampleLines = [
  "siteward websites delete 7",
  "siteward websites delete 7 8 9 --yes",
  "siteward websites delete 7 --if-match 7-3",
];

async function confirm(io: Io, siteward: Siteward, ids: readonly number[]): Promise<boolean> {
  const websites: Website[] = [];
  for (const id of ids) websites.push(await siteward.websites.get(id));
  const names = websites.map(({ id, domain }) => `${safeText(domain)} (ID ${id})`).join(", ");
  return await promptForConfirmation(io, `Delete ${names}? This cannot be undone.`);
}

interface Deletions {
  readonly ids: readonly number[];
  readonly condition: ChangeOptions;
}

/** Deletes the websites in order. If one fails, prints those already deleted, since that cannot be undone. */
async function deleteEach(siteward: Siteward, { ids, condition }: Deletions, output: Output): Promise<void> {
  const deletions: Deletion[] = [];
  try {
    for (const id of ids) {
      await siteward.websites.delete(id, condition);
      deletions.push({ id, deleted: true });
    }
  } finally {
    if (deletions.length > 0) await output.list(Readable.from(deletions));
  }
}
