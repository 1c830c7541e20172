import { Command } from "commander";
import type { CommandContext } from "../io/command-context.ts";
import { accountsCreateCommand } from "./accounts-create.ts";
import { accountsDeleteCommand } from "./accounts-delete.ts";
import { accountsListCommand } from "./accounts-list.ts";
import { accountsUpdateCommand } from "./accounts-update.ts";

/** Returns the command `accounts create|list|update|delete`. The API has no endpoint for these. */
export function accountsCommand(context: CommandContext): Command {
  return new Command("accounts")
    .description("create, list, update and delete accounts")
    .addCommand(accountsCreateCommand(context))
    .addCommand(accountsListCommand(context))
    .addCommand(accountsUpdateCommand(context))
    .addCommand(accountsDeleteCommand(context));
}
