import { scopes } from "@siteward/contract";
import { Command, Option } from "commander";
import type { ApiKeyChange, Storage, StoredApiKey } from "../../storage/interface/storage.ts";
import { type ApiKeyChoice, type ApiKeyView, generateApiKey, issueApiKeys, toApiKeyView } from "../api-keys.ts";
import { type CommandContext, UsageError } from "../command.ts";
import { type DatabaseOptions, databaseCommand, operatorAuthor, readsOnly, withStorage } from "../database.ts";
import { createInBatches, readLines } from "../input-lines.ts";
import { printResult, renderTable } from "../output.ts";
import { findAccount, readExpiry, readKeyPrefix, readName, readOverlap, readRateLimit, readScopes } from "../values.ts";
import { revokeCommand, unknownKey } from "./keys-revoke.ts";

interface KeyOptions extends DatabaseOptions {
  readonly name?: string;
  readonly scopes?: string;
  readonly expires?: string;
  readonly rateLimit?: string;
  /** Of `create` and `list`. */
  readonly account?: string;
  readonly stdin?: boolean;
}

/** Returns the command `keys create|list|update|rotate|revoke`. The API has no endpoint for these. */
export function keysCommand(context: CommandContext): Command {
  return new Command("keys")
    .description("create, list, update, rotate and revoke API keys")
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(updateCommand(context))
    .addCommand(rotateCommand(context))
    .addCommand(revokeCommand(context));
}

function createCommand(context: CommandContext): Command {
  const stdin = "create a key for each account whose ID is on a line of standard input";
  const description = "create API keys, by default with all scopes and no end; they are shown only once";
  return addKeyOptions(databaseCommand("create", description))
    .option("--account <id>", "ID of the account that the key belongs to")
    .addOption(new Option("--stdin", stdin).conflicts("account"))
    .action((options: KeyOptions) => withStorage(context, options, (storage) => createKeys(context, storage, options)));
}

function addKeyOptions(command: Command): Command {
  return command
    .option("--name <name>", "name of the key")
    .option("--scopes <scopes>", `comma-separated scopes: ${scopes.join(", ")}`)
    .option("--expires <when>", 'a duration from now such as 90d, a date such as 2027-01-31, or "never"')
    .option("--rate-limit <requests>", 'requests a minute, "none" for no limit, or "default" for that of the server');
}

async function createKeys(context: CommandContext, storage: Storage, options: KeyOptions): Promise<void> {
  const choice = { ...readSettings(options), name: readName(options.name ?? "") };
  const isMany = options.stdin === true;
  const read = async (text: string) => ({ accountId: (await findAccount(storage, text)).id, ...choice });
  const lines = isMany
    ? await readLines(context, "the ID of an account", read)
    : [{ line: 1, entry: await read(options.account ?? "") }];
  const create = (choices: readonly ApiKeyChoice[]) => issueApiKeys(storage, choices, operatorAuthor());
  await createInBatches(context, lines, create, ({ key, stored }) => {
    const shown = isMany ? [`${stored.accountId}\t${key}`] : ["The API key, shown only once:", "", `  ${key}`, ""];
    printResult(context, options, { key, ...toApiKeyView(stored, Date.now()) }, shown);
  });
}

/** Reads what the operator chooses of a key. What is not given is missing. */
function readSettings({ name, scopes: allowed, expires, rateLimit }: KeyOptions): ApiKeyChange {
  return {
    ...(name === undefined ? {} : { name: readName(name) }),
    ...(allowed === undefined ? {} : { scopes: readScopes(allowed) }),
    ...(expires === undefined ? {} : { expiresAt: readExpiry(expires, Date.now()) }),
    ...(rateLimit === undefined ? {} : { rateLimit: readRateLimit(rateLimit) }),
  };
}

const headings = ["PREFIX", "ACCOUNT", "NAME", "SCOPES", "STATE", "RATE LIMIT", "EXPIRES", "LAST USED"];

function listCommand(context: CommandContext): Command {
  return databaseCommand("list", "list the API keys with their state, expiry and last use")
    .option("--account <id>", "list only the keys of the account with this ID")
    .action((options: KeyOptions) => {
      const print = async ({ accounts, apiKeys }: Storage) => {
        const account = options.account === undefined ? undefined : await findAccount({ accounts }, options.account);
        const views = (await apiKeys.list(account?.id)).map((key) => toApiKeyView(key, Date.now()));
        printResult(context, options, views, renderTable(headings, views.map(toRow)));
      };
      return withStorage(context, options, print, readsOnly);
    });
}

function toRow({ prefix, account_id, name, scopes: allowed, state, ...view }: ApiKeyView): string[] {
  const limit = view.rate_limit === 0 ? "none" : `${view.rate_limit ?? "default"}`;
  const times = [view.expires_at ?? "never", view.last_used_at ?? "never"];
  return [prefix, `${account_id}`, name, allowed.join(","), state, limit, ...times];
}

function updateCommand(context: CommandContext): Command {
  return addKeyOptions(databaseCommand("update", "update an API key; servers notice within 5 seconds"))
    .argument("<prefix>", "prefix of the key, as shown by `keys list`")
    .action((prefix: string, options: KeyOptions) => updateKey(context, readKeyPrefix(prefix), options));
}

async function updateKey(context: CommandContext, prefix: string, options: KeyOptions): Promise<void> {
  const change = readSettings(options);
  if (Object.keys(change).length === 0)
    throw new UsageError("Nothing to update. Use --name, --scopes, --expires or --rate-limit.");
  await withStorage(context, options, async ({ apiKeys }) => {
    const decide = (current: StoredApiKey) => {
      requireUnrevoked(current);
      return change;
    };
    const updated = await apiKeys.update(prefix, decide, operatorAuthor());
    if (updated === undefined) throw unknownKey(prefix);
    printResult(context, options, toApiKeyView(updated, Date.now()), [`Updated the API key ${prefix}.`]);
  });
}

/** @throws UsageError if the key is revoked, which is permanent */
function requireUnrevoked({ prefix, revokedAt }: StoredApiKey): void {
  if (revokedAt === null) return;
  const what = `The API key ${prefix} was revoked at ${revokedAt.toISOString()} and cannot be changed.`;
  throw new UsageError(`${what} Create a key with \`keys create\`.`);
}

type RotateOptions = DatabaseOptions & { readonly overlap: string; readonly expires?: string };

function rotateCommand(context: CommandContext): Command {
  const overlap = "for how long the old key still works, such as 24h or 7d; 0 ends it at once";
  const expires = 'when the new key expires: a duration such as 90d, a date such as 2027-01-31, or "never"';
  return databaseCommand("rotate", "replace an API key by a new one, which is shown only once")
    .argument("<prefix>", "prefix of the key, as shown by `keys list`")
    .option("--overlap <duration>", overlap, "24h")
    .option("--expires <when>", `${expires}; required if the old key expires`)
    .action((prefix: string, options: RotateOptions) => rotateKey(context, readKeyPrefix(prefix), options));
}

async function rotateKey(context: CommandContext, prefix: string, options: RotateOptions): Promise<void> {
  const nowMs = Date.now();
  const overlapMs = readOverlap(options.overlap);
  const chosen = options.expires === undefined ? undefined : readExpiry(options.expires, nowMs);
  await withStorage(context, options, async ({ apiKeys }) => {
    const { key, ...fresh } = generateApiKey();
    const decide = (current: StoredApiKey) => {
      requireUnrevoked(current);
      const expiresAt = chosen === undefined ? neverLike(current) : chosen;
      return { next: { ...fresh, expiresAt }, expiresAt: new Date(nowMs + overlapMs) };
    };
    const result = await apiKeys.rotate(prefix, decide, operatorAuthor());
    if (result === undefined) throw unknownKey(prefix);
    const [view, replaces] = [toApiKeyView(result.next, nowMs), toApiKeyView(result.old, Date.now())];
    printResult(context, options, { key, ...view, replaces }, renderRotated(key, view, replaces));
  });
}

/**
 * Returns the expiry of the new key if the operator does not choose one. The expiry of an old key does not tell: it may be the
 * end of the overlap of an earlier rotation.
 */
function neverLike({ prefix, expiresAt }: StoredApiKey): null {
  if (expiresAt === null) return null;
  const what = `The API key ${prefix} expires at ${expiresAt.toISOString()}.`;
  throw new UsageError(`${what} Use --expires to say when the new key expires, such as 90d or never.`);
}

function renderRotated(key: string, { expires_at }: ApiKeyView, old: ApiKeyView): string[] {
  const expiry = expires_at === null ? "It never expires." : `It expires at ${expires_at}.`;
  const replaced =
    old.state === "active" ? `works until ${old.expires_at}` : "no longer works. Servers notice within 5 seconds";
  return ["The new API key, shown only once:", "", `  ${key}`, "", expiry, `The old key ${old.prefix} ${replaced}.`];
}
