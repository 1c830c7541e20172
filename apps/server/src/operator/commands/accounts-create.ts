import type { Command } from "commander";
import type { Storage } from "../../storage/interface/storage.ts";
import { databaseCommand, withStorage } from "../database/database-command.ts";
import { operatorAuthor } from "../database/operator-author.ts";
import type { CommandContext } from "../io/command-context.ts";
import { printResult } from "../io/print-result.ts";
import { readEmail, readName, readWebsiteLimit } from "../options/option-values.ts";

interface CreateOptions {
  readonly name: string;
  readonly email: string;
  readonly websiteLimit?: string;
  readonly databaseUrl?: string;
  readonly json?: boolean;
}

/** Returns the command `accounts create`. */
export function accountsCreateCommand(context: CommandContext): Command {
  return databaseCommand("create", "create an account, and the database if it does not exist")
    .requiredOption("--name <name>", "name of the account")
    .requiredOption("--email <address>", "e-mail address of the account")
    .option("--website-limit <number>", "maximum number of websites; no limit if unset")
    .action((options: CreateOptions) => create(context, options));
}

async function create(context: CommandContext, options: CreateOptions): Promise<void> {
  // Before the database is opened, since that may create it.
  const websiteLimit = options.websiteLimit === undefined ? null : readWebsiteLimit(options.websiteLimit);
  const settings = { name: readName("--name", options.name), email: readEmail(options.email), websiteLimit };
  const work = async ({ accounts }: Storage) => {
    const account = await accounts.create(settings, operatorAuthor(context));
    printResult(context, options, account, [`Created account ${account.id}.`]);
  };
  await withStorage(context, options, work, { mustExist: false });
}
