import type { Command } from "commander";
import type { Storage } from "../../storage/interface/storage.ts";
import { databaseCommand, readsOnly, withStorage } from "../database/database-command.ts";
import type { CommandContext } from "../io/command-context.ts";
import { printResult } from "../io/print-result.ts";
import { renderTable } from "../io/table.ts";
import { readAccountId } from "../options/option-values.ts";
import { type ApiKeyView, toApiKeyView } from "./api-key-view.ts";
import { unknownAccount } from "./unknown-account.ts";

const headings = ["PREFIX", "ACCOUNT", "NAME", "SCOPES", "STATE", "RATE LIMIT", "EXPIRES", "LAST USED"];

/** Returns the command `keys list`. */
export function keysListCommand(context: CommandContext): Command {
  return databaseCommand("list", "list the API keys with their state, expiry and last use")
    .option("--account <id>", "list only the keys of the account with this ID")
    .action((options: { account?: string; databaseUrl?: string; json?: boolean }) => {
      const print = async ({ accounts, apiKeys }: Storage) => {
        const account = options.account === undefined ? undefined : readAccountId("--account", options.account);
        if (account !== undefined && (await accounts.get(account)) === undefined) throw unknownAccount(account);
        const nowMs = Date.now();
        const views = (await apiKeys.list(account)).map((key) => toApiKeyView(key, nowMs));
        printResult(context, options, views, renderTable(headings, views.map(toRow)));
      };
      return withStorage(context, options, print, readsOnly);
    });
}

function toRow(view: ApiKeyView): string[] {
  return [
    view.prefix,
    String(view.account_id),
    view.name,
    view.scopes.join(","),
    view.state,
    renderRateLimit(view.rate_limit),
    view.expires_at ?? "never",
    view.last_used_at ?? "never",
  ];
}

function renderRateLimit(limit: number | null): string {
  if (limit === null) return "default";
  return limit === 0 ? "none" : String(limit);
}
