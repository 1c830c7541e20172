import type { ChangeOptions, Siteward, UpdateWebsite, Website } from "@siteward/sdk";
import { connect } from "../client/connect.ts";
import { CliError } from "../errors/cli-error.ts";
import { addFieldFlags, readFieldFlags } from "../flags/field-flags.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { parseId } from "../flags/option-values.ts";
import { ifMatchFlag, readCondition } from "../flags/request-flags.ts";
import { lacksPassword, websiteFlags } from "../flags/website-flags.ts";
import { promptForPassword } from "../input/prompt-for-password.ts";
import { mayPrompt } from "../input/prompts.ts";
import { note } from "../output/notices.ts";
import { openOutput } from "../output/output.ts";
import { websiteView } from "../output/website-view.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

/** Sets up `siteward websites update`. */
export const websitesUpdate: CommandSetup = (command, io) => {
  addFieldFlags(command.argument("<id>", "ID of the website", parseId), websiteFlags)
    .addOption(ifMatchFlag.options[0])
    .addHelpText(
      "after",
      `\nSettings that you omit do not change. An empty value clears a list.\n${examples(exampleLines)}`,
    )
    .action(async (id: number) => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      const output = openOutput(io, flags, websiteView);
      const fields = await readFieldFlags<UpdateWebsite>(websiteFlags, command, io);
      if (Object.values(fields).every((value) => value === undefined)) {
        throw new CliError("usage", "Nothing to change. Pass at least one setting.");
      }
      const siteward = await connect(io, flags);
      const website = await update(siteward, {
        id,
        fields,
        condition: readCondition(command.opts()),
        prompt: mayPrompt(io, flags) ? () => promptForPassword(io) : undefined,
      });
      await output.one(website);
      await note(io, `Updated ${website.domain} (ID ${website.id}).`);
    });
};

const exampleLines = [
  "siteward websites update 7 --privacy private --email on",
  "siteward websites update 7 --exclude-ips-file office-networks.txt",
  "siteward websites update 7 --exclude-params ''",
  "siteward websites update 7 --privacy private --if-match 7-3",
];

interface Change {
  readonly id: number;
  readonly fields: UpdateWebsite;
  readonly condition: ChangeOptions;
  /** Prompts for a password; undefined if the command must not prompt. */
  readonly prompt: (() => Promise<string>) | undefined;
}

/** Updates the website. Only the service knows if a password is stored, so it prompts once the service requires one. */
async function update(siteward: Siteward, { id, fields, condition, prompt }: Change): Promise<Website> {
  try {
    return await siteward.websites.update(id, fields, condition);
  } catch (error) {
    if (prompt === undefined || !(await isPasswordMissing(error, fields))) throw error;
    return await siteward.websites.update(id, { ...fields, password: await prompt() }, condition);
  }
}

async function isPasswordMissing(error: unknown, fields: UpdateWebsite): Promise<boolean> {
  if (!lacksPassword(fields)) return false;
  const { isApiError } = await import("@siteward/sdk");
  return isApiError(error, "validation_failed") && Object.keys(error.errors).join() === "password";
}
