import { parseDomain } from "@siteward/contract";
import type { Command } from "commander";
import { auditActions } from "../../storage/interface/audit-store.ts";
import type { Storage } from "../../storage/interface/storage.ts";
import { databaseCommand, readsOnly, withStorage } from "../database/database-command.ts";
import { findWebsitesByDomain, maxWebsites } from "../database/find-websites-by-domain.ts";
import type { Trail } from "../database/read-trail.ts";
import type { CommandContext } from "../io/command-context.ts";
import { UsageError } from "../io/command-error.ts";
import { decodeAuditCursor } from "../options/audit-cursor.ts";
import { readActions, readCount, readSince } from "../options/audit-options.ts";
import { readAccountId } from "../options/option-values.ts";
import { defaultListed, printTrail, type TrailFormat } from "./print-trail.ts";

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
  readonly csv?: boolean;
}

/** A list is printed at once, so it is in memory. NDJSON and CSV are not. */
const maxListed = 10_000;
const maxWebsiteId = 4_294_967_295;
const prefixLength = 12;

/** Returns the command `audit`. The API has no endpoint for it. */
export function auditCommand(context: CommandContext): Command {
  return databaseCommand("audit", "show who changed what in an account, the newest change first")
    .requiredOption("--account <id>", "ID of the account")
    .option("--website <id or domain>", "only changes of the website with this ID or domain, which may be deleted")
    .option("--key <prefix>", "only changes made with the API key that has this prefix")
    .option(
      "--since <when>",
      "only changes since then: a duration such as 7d or 12h, or a time such as 2027-01-31T09:00:00Z",
    )
    .option("--action <actions>", `only these comma-separated actions: ${auditActions.join(", ")}`)
    .option(
      "--limit <number>",
      `largest number of entries; ${defaultListed} if unset, and no limit with --ndjson or --csv`,
    )
    .option("--cursor <cursor>", "continue an earlier list: the cursor that it ended with")
    .option("--ndjson", "print all entries, each as one line of JSON")
    .option("--csv", "print all entries as CSV, for a spreadsheet")
    .action((options: AuditOptions) => {
      const format = readFormat(options);
      const accountId = readAccountId("--account", options.account);
      const website = options.website === undefined ? undefined : readWebsite(options.website);
      const trail = { accountId, ...readRequest(accountId, options) };
      const print = async (storage: Storage) => {
        await requireKnown(storage, trail);
        const websiteIds =
          website === undefined ? undefined : await findWebsites(context, storage, { accountId, website });
        await printTrail(context, storage, { ...trail, websiteIds, format });
      };
      return withStorage(context, options, print, readsOnly);
    });
}

function readFormat({ json, ndjson, csv }: AuditOptions): TrailFormat {
  const chosen = (["json", "ndjson", "csv"] as const).filter((name) => ({ json, ndjson, csv })[name]);
  const [format = "table", other] = chosen;
  if (other !== undefined) throw new UsageError(`--${format} and --${other} cannot be used together.`);
  return format;
}

function readRequest(accountId: number, options: AuditOptions): Omit<Trail, "accountId" | "websiteIds"> {
  const { key, since, action, limit, cursor, ndjson, csv } = options;
  const maxLimit = ndjson || csv ? Number.MAX_SAFE_INTEGER : maxListed;
  return {
    apiKey: key,
    since: since === undefined ? undefined : readSince(since, Date.now()),
    actions: action === undefined ? undefined : readActions(action),
    after: cursor === undefined ? undefined : decodeAuditCursor(cursor, accountId),
    limit: limit === undefined ? undefined : readCount("--limit", limit, maxLimit),
  };
}

/** Reads the ID of a website, or its domain in canonical form. A domain is never a number. */
function readWebsite(text: string): number | string {
  if (/^\d+$/.test(text)) return readCount("--website", text, maxWebsiteId);
  const domain = parseDomain(text);
  if (domain.ok) return domain.value;
  throw new UsageError(`--website ${domain.reason}, or the ID of a website.`);
}

/** A website may be deleted, so any ID is accepted. */
async function findWebsites(
  context: CommandContext,
  storage: Storage,
  { accountId, website }: { accountId: number; website: number | string },
): Promise<readonly number[]> {
  if (typeof website === "number") return [website];
  const { ids, hasMore } = await findWebsitesByDomain(storage, accountId, website);
  if (ids.length === 0) {
    throw new UsageError(
      `No website of account ${accountId} has or had the domain ${website}. ` +
        `Use \`audit --account ${accountId}\` to see all changes.`,
    );
  }
  if (hasMore) context.note(`More than ${maxWebsites} websites had the domain ${website}. Only the newest are shown.`);
  return ids;
}

/** Names an account or a key that does not exist. */
async function requireKnown(
  { accounts, apiKeys }: Storage,
  { accountId, apiKey }: Omit<Trail, "websiteIds">,
): Promise<void> {
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
