import type { StoredAccount } from "@siteward/service";
import { Command, Option } from "commander";
import type { AccountSettings, DeletedRows, Storage } from "../../storage/interface/storage.ts";
import { type CommandContext, CommandError, UsageError } from "../command.ts";
import { type DatabaseOptions, databaseCommand, operatorAuthor, readsOnly, withStorage } from "../database.ts";
import { createInBatches, readLines } from "../input-lines.ts";
import { printResult, renderCount, renderTable } from "../output.ts";
import { findAccount, readAccountId, readEmail, readName, readWebsiteLimit, unknownAccount } from "../values.ts";

interface AccountOptions extends DatabaseOptions {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly websiteLimit?: string | undefined;
  readonly stdin?: boolean;
}

/** A revoked key stops working within this time in every process. */
const revocationMs = 5_000;

/** Returns the command `accounts create|list|update|delete`. The API has no endpoint for these. */
export function accountsCommand(context: CommandContext): Command {
  return new Command("accounts")
    .description("create, list, update and delete accounts")
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(updateCommand(context))
    .addCommand(deleteCommand(context));
}

const accountLine = "a name, a tab and an e-mail address";

function createCommand(context: CommandContext): Command {
  const stdin = `create an account for each line of standard input: ${accountLine}, and after another tab its limit`;
  return databaseCommand("create", "create accounts, and the database if it does not exist")
    .option("--name <name>", "name of the account")
    .option("--email <address>", "e-mail address of the account")
    .option("--website-limit <number>", "maximum number of websites; no limit if unset")
    .addOption(new Option("--stdin", stdin).conflicts(["name", "email"]))
    .action(async (options: AccountOptions) => {
      const isMany = options.stdin === true;
      // Before the database is opened, since that may create it.
      const lines = isMany
        ? await readLines(context, accountLine, (text) => readLine(text, options))
        : [{ line: 1, entry: readSettings(options) }];
      const print = (account: StoredAccount) => {
        const { id, name, email } = account;
        printResult(context, options, account, [isMany ? `${id}\t${name}\t${email}` : `Created account ${id}.`]);
      };
      const create = ({ accounts }: Storage) =>
        createInBatches(context, lines, (settings) => accounts.createAll(settings, operatorAuthor()), print);
      await withStorage(context, options, create, { mustExist: false });
    });
}

function readLine(text: string, options: AccountOptions): AccountSettings {
  if (text.includes("\uFFFD")) throw new UsageError("This is not UTF-8. Save the list as UTF-8.");
  const [name, email, websiteLimit = options.websiteLimit, ...more] = text.split("\t");
  if (email !== undefined && more.length === 0) return readSettings({ name, email, websiteLimit });
  throw new UsageError(`Send ${accountLine}.`);
}

function readSettings({ name = "", email = "", websiteLimit }: AccountOptions): AccountSettings {
  const limit = websiteLimit === undefined ? null : readWebsiteLimit(websiteLimit);
  return { name: readName(name), email: readEmail(email), websiteLimit: limit };
}

function listCommand(context: CommandContext): Command {
  return databaseCommand("list", "list the accounts").action((options: DatabaseOptions) => {
    const list = async ({ accounts }: Storage) => {
      const all = await accounts.list();
      printResult(context, options, all, renderTable(["ID", "NAME", "EMAIL", "WEBSITES", "LIMIT"], all.map(toRow)));
    };
    return withStorage(context, options, list, readsOnly);
  });
}

function toRow({ id, name, email, websites }: StoredAccount): string[] {
  return [`${id}`, name, email, `${websites.count}`, `${websites.limit ?? "none"}`];
}

function updateCommand(context: CommandContext): Command {
  return databaseCommand("update", "update an account")
    .argument("<id>", "ID of the account")
    .option("--name <name>", "new name")
    .option("--email <address>", "new e-mail address")
    .option("--website-limit <number>", 'maximum number of websites, or "none" for no limit')
    .action((idText: string, options: AccountOptions) =>
      withStorage(context, options, async ({ accounts }) => {
        const id = readAccountId("<id>", idText);
        const account = await accounts.update(id, readChange(options), operatorAuthor());
        if (account === undefined) throw unknownAccount(id);
        printResult(context, options, account, [`Updated account ${id}.`]);
      }),
    );
}

function readChange({ name, email, websiteLimit: limit }: AccountOptions): Partial<AccountSettings> {
  const change = {
    ...(name === undefined ? {} : { name: readName(name) }),
    ...(email === undefined ? {} : { email: readEmail(email) }),
    ...(limit === undefined ? {} : { websiteLimit: limit === "none" ? null : readWebsiteLimit(limit) }),
  };
  if (Object.keys(change).length > 0) return change;
  throw new UsageError("Nothing to update. Use --name, --email or --website-limit.");
}

type DeleteOptions = DatabaseOptions & { readonly yes?: boolean };

function deleteCommand(context: CommandContext): Command {
  const description = "delete an account with its websites, API keys and audit trail; this cannot be undone";
  return databaseCommand("delete", `${description}; run again to resume`)
    .argument("<id>", "ID of the account")
    .option("-y, --yes", "skip the confirmation prompt; required in scripts")
    .action((idText: string, options: DeleteOptions) => deleteAccount(context, idText, options));
}

async function deleteAccount(context: CommandContext, idText: string, options: DeleteOptions): Promise<void> {
  if (options.yes !== true && context.ask === undefined)
    throw new UsageError("Deleting an account cannot be undone. Confirm with --yes.");
  await withStorage(context, options, async (storage) => {
    const account = await findAccount(storage, idText, "<id>");
    const { id, name, email } = account;
    if (options.yes !== true) await confirm(context, storage, account);
    const deleted = await storage.accounts.delete(id, {
      by: operatorAuthor(),
      revocationMs,
      onWait: () => context.note("Waiting for some seconds, until no server accepts the API keys any more."),
    });
    if (deleted === undefined) throw unknownAccount(id);
    printResult(context, options, { id, name, email, deleted }, [`Deleted account ${id} (${name}): ${list(deleted)}.`]);
  });
}

async function confirm(
  { ask, note }: CommandContext,
  { apiKeys }: Storage,
  { id, name, websites }: StoredAccount,
): Promise<void> {
  const keys = await apiKeys.list(id);
  note(
    `Account ${id} (${name}) has ${renderCount(websites.count, "website")} and ${renderCount(keys.length, "API key")}.`,
  );
  note("They are deleted with its audit trail. This cannot be undone.");
  const answer = await ask?.("Type the name of the account to confirm: ");
  if (answer?.trim().normalize() !== name.normalize())
    throw new CommandError("That is not the name of the account. Nothing was deleted.");
}

function list({ websites, api_keys, idempotency_keys, audit_entries }: DeletedRows): string {
  return [
    renderCount(websites, "website"),
    renderCount(api_keys, "API key"),
    renderCount(idempotency_keys, "idempotency key"),
    renderCount(audit_entries, "audit entry", "audit entries"),
  ].join(", ");
}
