import { Command } from "commander";
import type { AccountSettings, Storage, StoredAccount } from "../../storage/storage.ts";
import { databaseCommand, withStorage } from "../database/database-command.ts";
import type { CommandContext } from "../io/command-context.ts";
import { UsageError } from "../io/command-error.ts";
import { printResult } from "../io/print-result.ts";
import { renderTable } from "../io/table.ts";
import { readAccountId, readEmail, readName, readWebsiteLimit } from "../options/option-values.ts";

interface CreateOptions {
  readonly name: string;
  readonly email: string;
  readonly websiteLimit?: string;
  readonly databaseUrl?: string;
  readonly json?: boolean;
}

/** Returns the command `accounts create|list|update`. The API has no endpoint for these. */
export function accountsCommand(context: CommandContext): Command {
  return new Command("accounts")
    .description("create, list and update accounts")
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(updateCommand(context));
}

function createCommand(context: CommandContext): Command {
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
    const account = await accounts.create(settings);
    printResult(context, options, account, [`Created account ${account.id}.`]);
  };
  await withStorage(context, options, work, { mustExist: false });
}

function listCommand(context: CommandContext): Command {
  return databaseCommand("list", "list the accounts").action((options: { databaseUrl?: string; json?: boolean }) =>
    withStorage(context, options, async ({ accounts }) => {
      const all = await accounts.list();
      printResult(context, options, all, renderTable(["ID", "NAME", "EMAIL", "WEBSITES", "LIMIT"], all.map(toRow)));
    }),
  );
}

function updateCommand(context: CommandContext): Command {
  return databaseCommand("update", "update an account")
    .argument("<id>", "ID of the account")
    .option("--name <name>", "new name")
    .option("--email <address>", "new e-mail address")
    .option("--website-limit <number>", 'maximum number of websites, or "none" for no limit')
    .action((idText: string, options: Partial<CreateOptions>) =>
      withStorage(context, options, async ({ accounts }) => {
        const id = readAccountId("<id>", idText);
        const account = await accounts.update(id, readChange(options));
        if (account === undefined)
          throw new UsageError(`Account ${id} does not exist. Use \`accounts list\` to see all accounts.`);
        printResult(context, options, account, [`Updated account ${id}.`]);
      }),
    );
}

function readChange({ name, email, websiteLimit }: Partial<CreateOptions>): Partial<AccountSettings> {
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

function toRow({ id, name, email, websites }: StoredAccount): string[] {
  return [String(id), name, email, String(websites.count), websites.limit === null ? "none" : String(websites.limit)];
}
