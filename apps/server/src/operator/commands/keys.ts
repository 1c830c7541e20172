import { scopes } from "@siteward/contract";
import { Command } from "commander";
import type { StoredApiKey } from "../../storage/storage.ts";
import { databaseCommand, withStorage } from "../database/database-command.ts";
import { issueApiKey } from "../database/issue-api-key.ts";
import type { CommandContext } from "../io/command-context.ts";
import { UsageError } from "../io/command-error.ts";
import { printResult } from "../io/print-result.ts";
import { renderTable } from "../io/table.ts";
import { parseExpiry } from "../options/expiry.ts";
import { readAccountId, readName, readScopes } from "../options/option-values.ts";

interface CreateOptions {
  readonly account: string;
  readonly name: string;
  readonly scopes?: string;
  readonly expires?: string;
  readonly databaseUrl?: string;
  readonly json?: boolean;
}

/** Returns the command `keys create|list|revoke`. The API has no endpoint for these. */
export function keysCommand(context: CommandContext): Command {
  return new Command("keys")
    .description("create, list and revoke API keys")
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(revokeCommand(context));
}

function createCommand(context: CommandContext): Command {
  return databaseCommand("create", "create an API key; it is shown only once")
    .requiredOption("--account <id>", "ID of the account that the key belongs to")
    .requiredOption("--name <name>", "name of the key")
    .option("--scopes <scopes>", `comma-separated scopes; all if unset: ${scopes.join(", ")}`)
    .option(
      "--expires <when>",
      "when the key expires: a duration such as 90d or 12h, or a date such as 2027-01-31; never if unset",
    )
    .action((options: CreateOptions) =>
      withStorage(context, options, async (storage) => {
        const { key, stored } = await issueApiKey(storage, {
          accountId: readAccountId("--account", options.account),
          name: readName("--name", options.name),
          scopes: options.scopes === undefined ? scopes : readScopes(options.scopes),
          expiresAt: options.expires === undefined ? null : parseExpiry(options.expires, Date.now()),
        });
        printResult(context, options, { key, ...toView(stored) }, [
          "The API key, shown only once:",
          "",
          `  ${key}`,
          "",
        ]);
      }),
    );
}

function listCommand(context: CommandContext): Command {
  return databaseCommand("list", "list the API keys")
    .option("--account <id>", "list only the keys of the account with this ID")
    .action((options: { account?: string; databaseUrl?: string; json?: boolean }) =>
      withStorage(context, options, async ({ apiKeys }) => {
        const account = options.account === undefined ? undefined : readAccountId("--account", options.account);
        const views = (await apiKeys.list(account)).map(toView);
        const headings = ["PREFIX", "ACCOUNT", "NAME", "SCOPES", "EXPIRES", "LAST USED", "REVOKED"];
        printResult(context, options, views, renderTable(headings, views.map(toRow)));
      }),
    );
}

function revokeCommand(context: CommandContext): Command {
  return databaseCommand("revoke", "revoke an API key permanently; it stops working within 5 seconds")
    .argument("<prefix>", "prefix of the key, as shown by `keys list`")
    .action((prefix: string, options: { databaseUrl?: string; json?: boolean }) =>
      withStorage(context, options, async ({ apiKeys }) => {
        const revoked = await apiKeys.revoke(prefix);
        if (revoked === undefined)
          throw new UsageError(
            `No API key has the prefix ${JSON.stringify(prefix)}. Use \`keys list\` to see all keys.`,
          );
        printResult(context, options, toView(revoked), [`Revoked the API key ${prefix}.`]);
      }),
    );
}

/** Returns what is shown of a key, which never includes its hash. */
function toView(key: StoredApiKey) {
  return {
    prefix: key.prefix,
    account_id: key.accountId,
    name: key.name,
    scopes: key.scopes,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}

function toRow(view: ReturnType<typeof toView>): string[] {
  const { prefix, account_id, name, scopes: allowed, expires_at, last_used_at, revoked_at } = view;
  return [
    prefix,
    String(account_id),
    name,
    allowed.join(","),
    expires_at ?? "never",
    last_used_at ?? "never",
    revoked_at ?? "no",
  ];
}
