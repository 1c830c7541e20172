import type { StoredAccount } from "@siteward/service";
import type { Command } from "commander";
import type { DeletedRows, Storage } from "../../storage/interface/storage.ts";
import { databaseCommand, withStorage } from "../database/database-command.ts";
import { operatorAuthor } from "../database/operator-author.ts";
import type { CommandContext } from "../io/command-context.ts";
import { CommandError, UsageError } from "../io/command-error.ts";
import { printResult } from "../io/print-result.ts";
import { showProgress } from "../io/show-progress.ts";
import { untilSignal } from "../io/until-signal.ts";
import { readAccountId } from "../options/option-values.ts";
import { unknownAccount } from "./unknown-account.ts";

/** A revoked key stops working within this time in every process. */
const revocationMs = 5_000;

interface DeleteOptions {
  readonly yes?: boolean;
  readonly databaseUrl?: string;
  readonly json?: boolean;
}

/** Returns the command `accounts delete`. */
export function accountsDeleteCommand(context: CommandContext): Command {
  return databaseCommand(
    "delete",
    "delete an account with its websites, API keys and audit trail; this cannot be undone; run again to resume",
  )
    .argument("<id>", "ID of the account")
    .option("-y, --yes", "skip the confirmation prompt; required in scripts")
    .action((idText: string, options: DeleteOptions) => deleteAccount(context, idText, options));
}

async function deleteAccount(context: CommandContext, idText: string, options: DeleteOptions): Promise<void> {
  const id = readAccountId("<id>", idText);
  if (options.yes !== true && context.ask === undefined)
    throw new UsageError("Deleting an account cannot be undone. Confirm with --yes.");
  await withStorage(context, options, async (storage) => {
    const account = await storage.accounts.get(id);
    if (account === undefined) throw unknownAccount(id);
    if (options.yes !== true) await confirm(context, storage, account);
    const deleted = await runDeletion(context, storage, id);
    if (deleted === undefined) throw unknownAccount(id);
    const { name, email } = account;
    printResult(context, options, { id, name, email, deleted }, [`Deleted account ${id} (${name}): ${list(deleted)}.`]);
  });
}

async function confirm(
  { ask, note }: CommandContext,
  { apiKeys }: Storage,
  { id, name, websites }: StoredAccount,
): Promise<void> {
  const keys = await apiKeys.list(id);
  note(`Account ${id} (${name}) has ${count(websites.count, "website")} and ${count(keys.length, "API key")}.`);
  note("They are deleted with its audit trail. This cannot be undone.");
  const answer = await ask?.("Type the name of the account to confirm: ");
  if (answer?.trim().normalize() !== name.normalize())
    throw new CommandError("That is not the name of the account. Nothing was deleted.");
}

async function runDeletion(
  context: CommandContext,
  { accounts }: Storage,
  id: number,
): Promise<DeletedRows | undefined> {
  const stop = new AbortController();
  const stopped = new CommandError("The deletion is unfinished. Run the same command again to continue it.");
  void untilSignal(context, ["SIGTERM", "SIGINT", "SIGHUP"]).then(() => stop.abort(stopped));
  const show = showProgress(context, () => performance.now());
  try {
    return await accounts.delete(id, {
      by: operatorAuthor(context),
      revocationMs,
      signal: stop.signal,
      onWait: () => context.redraw?.("Waiting for some seconds, until no server accepts the API keys any more."),
      onProgress: ({ table, done, total }) => show({ step: "deleting", table: titles[table][1], done, total }),
    });
  } catch (error) {
    // A timer that is aborted rejects with an error of its own.
    throw stop.signal.aborted ? stopped : error;
  } finally {
    context.redraw?.("");
  }
}

const titles = {
  websites: ["website", "websites"],
  api_keys: ["API key", "API keys"],
  idempotency_keys: ["idempotency key", "idempotency keys"],
  audit_entries: ["audit entry", "audit entries"],
} as const satisfies Record<keyof DeletedRows, readonly [string, string]>;

function list(deleted: DeletedRows): string {
  const { websites, api_keys, idempotency_keys, audit_entries } = titles;
  return [
    count(deleted.websites, ...websites),
    count(deleted.api_keys, ...api_keys),
    count(deleted.idempotency_keys, ...idempotency_keys),
    count(deleted.audit_entries, ...audit_entries),
  ].join(", ");
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}
