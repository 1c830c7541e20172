import { scopes } from "@siteward/contract";
import type { Command } from "commander";
import { databaseCommand, withStorage } from "../database/database-command.ts";
import { issueApiKey } from "../database/issue-api-key.ts";
import { operatorAuthor } from "../database/operator-author.ts";
import type { CommandContext } from "../io/command-context.ts";
import { printResult } from "../io/print-result.ts";
import { readExpiry } from "../options/expiry.ts";
import { readAccountId, readName, readRateLimit, readScopes } from "../options/option-values.ts";
import { toApiKeyView } from "./api-key-view.ts";

interface CreateOptions {
  readonly account: string;
  readonly name: string;
  readonly scopes?: string;
  readonly expires?: string;
  readonly rateLimit?: string;
  readonly databaseUrl?: string;
  readonly json?: boolean;
}

/** Returns the command `keys create`. */
export function keysCreateCommand(context: CommandContext): Command {
  return databaseCommand("create", "create an API key; it is shown only once")
    .requiredOption("--account <id>", "ID of the account that the key belongs to")
    .requiredOption("--name <name>", "name of the key")
    .option("--scopes <scopes>", `comma-separated scopes; all if unset: ${scopes.join(", ")}`)
    .option(
      "--expires <when>",
      "when the key expires: a duration such as 90d or 12h, or a date such as 2027-01-31; never if unset",
    )
    .option("--rate-limit <requests>", 'requests a minute, or "none" for no limit; the limit of the server if unset')
    .action((options: CreateOptions) => createKey(context, options));
}

async function createKey(context: CommandContext, options: CreateOptions): Promise<void> {
  const nowMs = Date.now();
  await withStorage(context, options, async (storage) => {
    const choice = {
      accountId: readAccountId("--account", options.account),
      name: readName("--name", options.name),
      scopes: options.scopes === undefined ? scopes : readScopes(options.scopes),
      expiresAt: options.expires === undefined ? null : readExpiry(options.expires, nowMs),
      rateLimit: options.rateLimit === undefined ? null : readRateLimit(options.rateLimit),
    };
    const { key, stored } = await issueApiKey(storage, choice, operatorAuthor(context));
    const lines = ["The API key, shown only once:", "", `  ${key}`, ""];
    printResult(context, options, { key, ...toApiKeyView(stored, nowMs) }, lines);
  });
}
