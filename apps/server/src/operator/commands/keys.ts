import { type Scope, scopes } from "@siteward/contract";
import { Command } from "commander";
import type { StoredApiKey } from "../../storage/storage.ts";
import { issueApiKey } from "../database/issue-api-key.ts";
import { operatorCommand } from "../database/operator-command.ts";
import { withStorage } from "../database/with-storage.ts";
import { columns } from "../io/columns.ts";
import { printResult, type Terminal, UsageError } from "../io/terminal.ts";
import { parseExpiry } from "../options/expiry.ts";
import { readAccountId } from "../options/read-account-id.ts";
import { readName } from "../options/read-name.ts";

interface CreateOptions {
  readonly account: string;
  readonly name: string;
  readonly scopes?: string;
  readonly expires?: string;
  readonly databaseUrl?: string;
  readonly json?: boolean;
}

/** `keys create|list|revoke`: the interface has no endpoint for them. */
export function keysCommand(terminal: Terminal): Command {
  return new Command("keys")
    .description("make, list and revoke API keys")
    .addCommand(createCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(revokeCommand(terminal));
}

function createCommand(terminal: Terminal): Command {
  return operatorCommand("create", "make an API key; it is shown once")
    .requiredOption("--account <id>", "account that the key belongs to")
    .requiredOption("--name <name>", "name of the key, to tell it from others")
    .option("--scopes <scopes>", `what it may do, between commas; all if unset: ${scopes.join(", ")}`)
    .option("--expires <when>", "a span such as 90d or 12h, or a date such as 2027-01-31; never if unset")
    .action((options: CreateOptions) =>
      withStorage(terminal, options, async (storage) => {
        const { key, stored } = await issueApiKey(storage, {
          accountId: readAccountId("--account", options.account),
          name: readName("--name", options.name),
          scopes: options.scopes === undefined ? scopes : readScopes(options.scopes),
          expiresAt: options.expires === undefined ? null : parseExpiry(options.expires, Date.now()),
        });
        printResult(terminal, options, { key, ...toView(stored) }, ["The key, shown this once:", "", `  ${key}`, ""]);
      }),
    );
}

function listCommand(terminal: Terminal): Command {
  return operatorCommand("list", "list the API keys")
    .option("--account <id>", "only those of one account")
    .action((options: { account?: string; databaseUrl?: string; json?: boolean }) =>
      withStorage(terminal, options, async ({ apiKeys }) => {
        const account = options.account === undefined ? undefined : readAccountId("--account", options.account);
        const views = (await apiKeys.list(account)).map(toView);
        const headings = ["PREFIX", "ACCOUNT", "NAME", "SCOPES", "EXPIRES", "LAST USED", "REVOKED"];
        printResult(terminal, options, views, columns(headings, views.map(toRow)));
      }),
    );
}

function revokeCommand(terminal: Terminal): Command {
  return operatorCommand("revoke", "stop an API key, within 5 seconds and for good")
    .argument("<prefix>", "its first characters, as `keys list` shows them")
    .action((prefix: string, options: { databaseUrl?: string; json?: boolean }) =>
      withStorage(terminal, options, async ({ apiKeys }) => {
        const revoked = await apiKeys.revoke(prefix);
        if (revoked === undefined)
          throw new UsageError(`No key begins with ${JSON.stringify(prefix)}; \`keys list\` shows those there are.`);
        printResult(terminal, options, toView(revoked), [`The key ${prefix} is revoked.`]);
      }),
    );
}

function readScopes(text: string): Scope[] {
  return text.split(",").map((name) => {
    const scope = scopes.find((known) => known === name.trim());
    if (scope !== undefined) return scope;
    throw new UsageError(`--scopes has ${JSON.stringify(name)}; it takes ${scopes.join(", ")}.`);
  });
}

/** What is shown of a key: never its hash. */
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
