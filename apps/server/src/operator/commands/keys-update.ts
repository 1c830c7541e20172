import { scopes } from "@siteward/contract";
import type { Command } from "commander";
import type { ApiKeyChange } from "../../storage/interface/storage.ts";
import { databaseCommand, withStorage } from "../database/database-command.ts";
import { operatorAuthor } from "../database/operator-author.ts";
import type { CommandContext } from "../io/command-context.ts";
import { UsageError } from "../io/command-error.ts";
import { printResult } from "../io/print-result.ts";
import { readExpiry } from "../options/expiry.ts";
import { readKeyPrefix, readName, readRateLimit, readScopes } from "../options/option-values.ts";
import { requireUnrevoked, unknownKey } from "./api-key-errors.ts";
import { toApiKeyView } from "./api-key-view.ts";

interface UpdateOptions {
  readonly name?: string;
  readonly scopes?: string;
  readonly expires?: string;
  readonly rateLimit?: string;
  readonly databaseUrl?: string;
  readonly json?: boolean;
}

/** Returns the command `keys update`. */
export function keysUpdateCommand(context: CommandContext): Command {
  return databaseCommand("update", "update an API key; servers notice within 5 seconds")
    .argument("<prefix>", "prefix of the key, as shown by `keys list`")
    .option("--name <name>", "new name")
    .option("--scopes <scopes>", `new comma-separated scopes: ${scopes.join(", ")}`)
    .option("--expires <when>", 'a duration from now such as 90d, a date such as 2027-01-31, or "never"')
    .option(
      "--rate-limit <requests>",
      'requests a minute, "none" for no limit, or "default" for the limit of the server',
    )
    .action((prefix: string, options: UpdateOptions) => updateKey(context, prefix, options));
}

async function updateKey(context: CommandContext, prefixText: string, options: UpdateOptions): Promise<void> {
  const nowMs = Date.now();
  const prefix = readKeyPrefix(prefixText);
  const change = readChange(options, nowMs);
  await withStorage(context, options, async ({ apiKeys }) => {
    const decide = (current: Parameters<typeof requireUnrevoked>[0]) => {
      requireUnrevoked(current);
      return change;
    };
    const updated = await apiKeys.update(prefix, decide, operatorAuthor(context));
    if (updated === undefined) throw unknownKey(prefix);
    printResult(context, options, toApiKeyView(updated, nowMs), [`Updated the API key ${prefix}.`]);
  });
}

function readChange({ name, scopes: allowed, expires, rateLimit }: UpdateOptions, nowMs: number): ApiKeyChange {
  const change = {
    ...(name === undefined ? {} : { name: readName("--name", name) }),
    ...(allowed === undefined ? {} : { scopes: readScopes(allowed) }),
    ...(expires === undefined ? {} : { expiresAt: readExpiry(expires, nowMs) }),
    ...(rateLimit === undefined ? {} : { rateLimit: readRateLimit(rateLimit) }),
  };
  if (Object.keys(change).length > 0) return change;
  throw new UsageError("Nothing to update. Use --name, --scopes, --expires or --rate-limit.");
}
