import type { Command } from "commander";
import type { AccountSettings } from "../../storage/interface/storage.ts";
import { databaseCommand, withStorage } from "../database/database-command.ts";
import { operatorAuthor } from "../database/operator-author.ts";
import type { CommandContext } from "../io/command-context.ts";
import { UsageError } from "../io/command-error.ts";
import { printResult } from "../io/print-result.ts";
import { readAccountId, readEmail, readName, readWebsiteLimit } from "../options/option-values.ts";
import { unknownAccount } from "./unknown-account.ts";

interface UpdateOptions {
  readonly name?: string;
  readonly email?: string;
  readonly websiteLimit?: string;
  readonly databaseUrl?: string;
  readonly json?: boolean;
}

/** Returns the command `accounts update`. */
export function accountsUpdateCommand(context: CommandContext): Command {
  return databaseCommand("update", "update an account")
    .argument("<id>", "ID of the account")
    .option("--name <name>", "new name")
    .option("--email <address>", "new e-mail address")
    .option("--website-limit <number>", 'maximum number of websites, or "none" for no limit')
    .action((idText: string, options: UpdateOptions) =>
      withStorage(context, options, async ({ accounts }) => {
        const id = readAccountId("<id>", idText);
        const account = await accounts.update(id, readChange(options), operatorAuthor(context));
        if (account === undefined) throw unknownAccount(id);
        printResult(context, options, account, [`Updated account ${id}.`]);
      }),
    );
}

function readChange({ name, email, websiteLimit }: UpdateOptions): Partial<AccountSettings> {
  const change = {
    ...(name === undefined ? {} : { name: readName("--name", name) }),
    ...(email === undefined ? {} : { email: readEmail(email) }),
    ...(websiteLimit === undefined
      ? {}
      : { websiteLimit: websiteLimit === "none" ? null : readWebsiteLimit(websiteLimit) }),
  };
  if (Object.keys(change).length > 0) return change;
  throw new UsageError("Nothing to update. Use --name, --email or --website-limit.");
}
