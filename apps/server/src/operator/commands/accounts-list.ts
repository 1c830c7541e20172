import type { StoredAccount } from "@siteward/service";
import type { Command } from "commander";
import type { AccountStore } from "../../storage/interface/storage.ts";
import { databaseCommand, readsOnly, withStorage } from "../database/database-command.ts";
import type { CommandContext } from "../io/command-context.ts";
import { printResult } from "../io/print-result.ts";
import { renderTable } from "../io/table.ts";

/** Returns the command `accounts list`. */
export function accountsListCommand(context: CommandContext): Command {
  return databaseCommand("list", "list the accounts").action((options: { databaseUrl?: string; json?: boolean }) =>
    withStorage(context, options, ({ accounts }) => print(context, options, accounts), readsOnly),
  );
}

async function print(context: CommandContext, options: { json?: boolean }, accounts: AccountStore): Promise<void> {
  const all = await accounts.list();
  printResult(context, options, all, renderTable(["ID", "NAME", "EMAIL", "WEBSITES", "LIMIT"], all.map(toRow)));
}

function toRow({ id, name, email, websites }: StoredAccount): string[] {
  return [String(id), name, email, String(websites.count), websites.limit === null ? "none" : String(websites.limit)];
}
