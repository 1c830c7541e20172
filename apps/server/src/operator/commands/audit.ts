import type { Command } from "commander";
import { type AuditEntry, auditActions } from "../../storage/interface/audit-store.ts";
import type { Storage } from "../../storage/interface/storage.ts";
import { databaseCommand, withStorage } from "../database/database-command.ts";
import { readTrail, type Trail } from "../database/read-trail.ts";
import { auditHeadings, toAuditRow, toAuditView } from "../io/audit-view.ts";
import type { CommandContext } from "../io/command-context.ts";
import { UsageError } from "../io/command-error.ts";
import { safeJson } from "../io/safe-text.ts";
import { renderTable } from "../io/table.ts";
import { decodeAuditCursor, encodeAuditCursor } from "../options/audit-cursor.ts";
import { readActions, readCount, readSince } from "../options/audit-options.ts";
import { readAccountId } from "../options/option-values.ts";

interface AuditOptions {
  readonly account: string;
  readonly website?: string;
  readonly key?: string;
  readonly since?: string;
  readonly action?: string;
  readonly limit?: string;
  readonly cursor?: string;
  readonly databaseUrl?: string;
  readonly json?: boolean;
  readonly ndjson?: boolean;
}

/** A list is printed at once, so it is in memory. NDJSON is not. */
const maxListed = 10_000;
const defaultListed = 50;
const maxWebsiteId = 4_294_967_295;
const prefixLength = 12;

/** Returns the command `audit`. The API has no endpoint for it. */
export function auditCommand(context: CommandContext): Command {
  return databaseCommand("audit", "show who changed what in an account, the newest change first")
    .requiredOption("--account <id>", "ID of the account")
    .option("--website <id>", "only changes of the website with this ID, which may be deleted")
    .option("--key <prefix>", "only changes made with the API key that has this prefix")
    .option(
      "--since <when>",
      "only changes since then: a duration such as 7d or 12h, or a time such as 2027-01-31T09:00:00Z",
    )
    .option("--action <actions>", `only these comma-separated actions: ${auditActions.join(", ")}`)
    .option("--limit <number>", `largest number of entries; ${defaultListed} if unset, and no limit with --ndjson`)
    .option("--cursor <cursor>", "continue an earlier list: the cursor that it ended with")
    .option("--ndjson", "print all entries, each as one line of JSON")
    .action((options: AuditOptions) => {
      if (options.json && options.ndjson) throw new UsageError("--json and --ndjson cannot be used together.");
      const accountId = readAccountId("--account", options.account);
      const trail = { accountId, ...readRequest(accountId, options) };
      return withStorage(context, options, async (storage) => {
        await requireKnown(storage, trail);
        if (options.ndjson) await printLines(context, storage, trail);
        else await printList(context, storage, { ...trail, isJson: options.json === true });
      });
    });
}

function readRequest(accountId: number, options: AuditOptions): Omit<Trail, "accountId"> {
  const { website, key, since, action, limit, cursor, ndjson } = options;
  return {
    websiteId: website === undefined ? undefined : readCount("--website", website, maxWebsiteId),
    apiKey: key,
    since: since === undefined ? undefined : readSince(since, Date.now()),
    actions: action === undefined ? undefined : readActions(action),
    after: cursor === undefined ? undefined : decodeAuditCursor(cursor, accountId),
    limit: limit === undefined ? undefined : readCount("--limit", limit, ndjson ? Number.MAX_SAFE_INTEGER : maxListed),
  };
}

/** Names an account or a key that does not exist. A website may be deleted, so any is accepted. */
async function requireKnown({ accounts, apiKeys }: Storage, { accountId, apiKey }: Trail): Promise<void> {
  if ((await accounts.get(accountId)) === undefined) {
    throw new UsageError(`Account ${accountId} does not exist. Use \`accounts list\` to see all accounts.`);
  }
  if (apiKey === undefined) return;
  const keys = await apiKeys.list(accountId);
  if (keys.some(({ prefix }) => prefix === apiKey)) return;
  // Somebody may have pasted the entire key.
  const shown = JSON.stringify(apiKey.slice(0, prefixLength));
  throw new UsageError(
    `No API key of account ${accountId} has the prefix ${shown}. Use \`keys list --account ${accountId}\` to see them.`,
  );
}

/** Prints each page as soon as it is read, and reads the next one when the reader has taken it. */
async function printLines(context: CommandContext, { audit }: Storage, trail: Trail): Promise<void> {
  for await (const { entries } of readTrail(audit, trail)) {
    if (entries.length === 0) continue;
    context.print(entries.map((entry) => safeJson(toAuditView(entry))).join("\n"));
    await context.untilPrinted();
  }
}

async function printList(
  context: CommandContext,
  { audit }: Storage,
  { isJson, ...trail }: Trail & { readonly isJson: boolean },
): Promise<void> {
  const entries: AuditEntry[] = [];
  let cursor: string | null = null;
  for await (const page of readTrail(audit, { ...trail, limit: trail.limit ?? defaultListed })) {
    entries.push(...page.entries);
    cursor = page.next === undefined ? null : encodeAuditCursor(trail.accountId, page.next);
  }
  if (isJson) {
    context.print(safeJson({ data: entries.map(toAuditView), next_cursor: cursor }));
    return;
  }
  for (const line of renderTable(auditHeadings, entries.map(toAuditRow))) context.print(line);
  if (cursor !== null) context.note(`There are older entries. Add --cursor ${cursor} to see them.`);
}
