import { Command } from "commander";
import type { CommandContext } from "../io/command-context.ts";
import { keysCreateCommand } from "./keys-create.ts";
import { keysListCommand } from "./keys-list.ts";
import { keysRevokeCommand } from "./keys-revoke.ts";
import { keysRotateCommand } from "./keys-rotate.ts";
import { keysUpdateCommand } from "./keys-update.ts";

/** Returns the command `keys create|list|update|rotate|revoke`. The API has no endpoint for these. */
export function keysCommand(context: CommandContext): Command {
  return new Command("keys")
    .description("create, list, update, rotate and revoke API keys")
    .addCommand(keysCreateCommand(context))
    .addCommand(keysListCommand(context))
    .addCommand(keysUpdateCommand(context))
    .addCommand(keysRotateCommand(context))
    .addCommand(keysRevokeCommand(context));
}
