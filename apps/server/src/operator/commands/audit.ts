import { once } from "node:events";
import { toKeyPrefix } from "@siteward/contract/plain";
import { escapeUnsafe, safeText } from "@siteward/start/safe-text";
import type { Command } from "commander";
import type {
  AuditChanges,
  AuditEntry,
  AuditListRequest,
  AuditPosition,
  ListChange,
} from "../../storage/interface/audit-store.ts";
import type { Storage } from "../../storage/interface/storage.ts";
import { type CommandContext, UsageError } from "../command.ts";
import { type DatabaseOptions, databaseCommand, readsOnly, withStorage } from "../database.ts";
import { printResult, renderTable } from "../output.ts";
import { findAccount, readCount, readSince } from "../values.ts";
import { unknownKey } from "./keys-revoke.ts";

interface AuditOptions extends DatabaseOptions {
  readonly account?: string;
  readonly website?: string;
  readonly key?: string;
  readonly since?: string;
  readonly limit?: string;
  readonly ndjson?: boolean;
}

/** Which part of a trail is shown: at most `limit` entries of an account. */
type Selection = Omit<AuditListRequest, "after">;

/** A list is printed at once, so it is in memory. NDJSON is not. */
const maxListed = 10_000;
const defaultListed = 50;
const entriesPerPage = 100;
const maxWebsiteId = 4_294_967_295;
/** How much of a value a line shows. JSON shows all. */
const maxValueLength = 60;
const headings = ["ACCOUNT", "TIME", "BY", "ACTION", "RECORD", "CHANGES"];

/** Returns the command `audit`. The API has no endpoint for it. */
export function auditCommand(context: CommandContext): Command {
  const since = "only changes since then: a duration such as 7d or 12h, or a time such as 2027-01-31T09:00:00Z";
  const limit = `largest number of entries of an account; ${defaultListed} if unset, and no limit with --ndjson`;
  return databaseCommand("audit", "show who changed what in each account, the newest change first")
    .option("--account <id>", "only changes of the account with this ID")
    .option("--website <id>", "only changes of the website with this ID, which may be deleted; needs --account")
    .option("--key <prefix>", "only changes made with the API key that has this prefix")
    .option("--since <when>", since)
    .option("--limit <number>", limit)
    .option("--ndjson", "print all entries, each as one line of JSON")
    .action((options: AuditOptions) => {
      const selection = readSelection(options);
      const print = async (storage: Storage) => {
        const accountIds = await findAccounts(storage, options);
        const pages = readPages(storage, accountIds, selection);
        await (options.ndjson === true ? printLines(context, pages) : printList(context, options, pages));
      };
      return withStorage(context, options, print, readsOnly);
    });
}

function readSelection({ account, website, key, since, limit, json, ndjson }: AuditOptions): Selection {
  if (json && ndjson) throw new UsageError("--json and --ndjson cannot be used together.");
  if (website !== undefined && account === undefined)
    throw new UsageError("--website needs --account: each account counts its websites from 1.");
  const [unset, max] = ndjson ? [Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER] : [defaultListed, maxListed];
  return {
    websiteId: website === undefined ? undefined : readCount("--website", website, maxWebsiteId),
    apiKey: key,
    since: since === undefined ? undefined : readSince(since, Date.now()),
    limit: limit === undefined ? unset : readCount("--limit", limit, max),
  };
}

/**
 * Returns the IDs of the accounts to show.
 *
 * @throws UsageError that names an account or a key that does not exist
 */
async function findAccounts(
  storage: Storage,
  { account: text, key: apiKey }: AuditOptions,
): Promise<readonly number[]> {
  const account = text === undefined ? undefined : (await findAccount(storage, text)).id;
  if (apiKey !== undefined) {
    const key = (await storage.apiKeys.list(account)).find(({ prefix }) => prefix === apiKey);
    if (key !== undefined) return [key.accountId];
    // Somebody may have pasted the entire key.
    throw unknownKey(toKeyPrefix(apiKey));
  }
  return account === undefined ? (await storage.accounts.list()).map(({ id }) => id) : [account];
}

/** Reads the entries of each account in turn, page after page, the next one when it is asked for. */
async function* readPages({ audit }: Storage, accountIds: readonly number[], { limit, ...selection }: Selection) {
  for (const accountId of accountIds) {
    let after: AuditPosition | undefined;
    let left = limit;
    do {
      const page = await audit.list(accountId, { ...selection, after, limit: Math.min(left, entriesPerPage) });
      left -= page.entries.length;
      after = page.next;
      yield { accountId, entries: page.entries, hasMore: after !== undefined && left <= 0 };
    } while (after !== undefined && left > 0);
  }
}

/** Prints each page as soon as it is read. */
async function printLines(context: CommandContext, pages: ReturnType<typeof readPages>): Promise<void> {
  for await (const { accountId, entries } of pages) {
    if (entries.length === 0) continue;
    context.print(entries.map((entry) => escapeUnsafe(JSON.stringify(toAuditView(accountId, entry)))).join("\n"));
    // A slow reader must not fill the memory.
    if (process.stdout.writableNeedDrain) await once(process.stdout, "drain");
  }
}

async function printList(
  context: CommandContext,
  options: AuditOptions,
  pages: ReturnType<typeof readPages>,
): Promise<void> {
  const found: { readonly accountId: number; readonly entry: AuditEntry }[] = [];
  let isCut = false;
  for await (const { accountId, entries, hasMore } of pages) {
    found.push(...entries.map((entry) => ({ accountId, entry })));
    isCut ||= hasMore || found.length > maxListed;
    if (found.length > maxListed) break;
  }
  const shown = found.slice(0, maxListed);
  const data = shown.map(({ accountId, entry }) => toAuditView(accountId, entry));
  const rows = shown.map(({ accountId, entry }) => toAuditRow(accountId, entry));
  printResult(context, options, { data, has_more: isCut }, renderTable(headings, rows));
  if (isCut && options.json !== true)
    context.note("There are more entries. Use --limit, --since or --ndjson to see them.");
}

function toAuditView(accountId: number, entry: AuditEntry): Record<string, unknown> {
  const { at, action, subject, subject_id, version, by, changes } = entry;
  return {
    account_id: accountId,
    at: new Date(at).toISOString(),
    action,
    subject,
    subject_id,
    version,
    actor: by.apiKey === null ? { operator: by.operator } : { api_key: by.apiKey },
    request_id: by.requestId,
    changes,
  };
}

/** Returns the cells of an entry in a table, none of which can control the terminal. */
function toAuditRow(accountId: number, entry: AuditEntry): string[] {
  const { at, action, subject, subject_id: id, by } = entry;
  const author = by.apiKey ?? `operator ${by.operator ?? "unknown"}`;
  const record = `${subject.replace("_", " ")} ${id}`;
  return [`${accountId}`, new Date(at).toISOString(), author, action, record, describeChanges(entry)].map(safeText);
}

/** Such as `privacy 0 → 1, password set`. */
function describeChanges({ action, changes }: AuditEntry): string {
  const isUpdate = action.endsWith(".updated");
  const describe = (change: AuditChanges[string]): string => {
    if (typeof change === "string") return change;
    return "added" in change ? describeListChange(change) : describeValues(change, isUpdate);
  };
  return Object.entries(changes)
    .map(([name, change]) => `${name} ${describe(change)}`)
    .join(", ");
}

/** Such as `added ["utm_*"] removed ["gclid"]`. */
function describeListChange({ added, removed }: ListChange): string {
  const parts = Object.entries({ added, removed }).filter(([, entries]) => entries.length > 0);
  return parts.map(([what, entries]) => `${what} ${describeValue(entries)}`).join(" ");
}

type ValueChange = Exclude<AuditChanges[string], string | ListChange>;

/** An update shows both values: `500` alone does not say whether a limit was set or removed. */
function describeValues({ from, to }: ValueChange, isUpdate: boolean): string {
  const isOne = !isUpdate && (from === null || to === null);
  return isOne ? describeValue(from ?? to) : `${describeValue(from)} → ${describeValue(to)}`;
}

function describeValue(value: unknown): string {
  if (value === null) return "unset";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}
