import { Siteward } from "@siteward/sdk";
import type { Database } from "@siteward/testing/engines/database";
import type { Account } from "@siteward/testing/servers/operate";
import type { ClientLog } from "./client-log.ts";
import { readStoredWebsites } from "./stored-websites.ts";

/** What to check, and with what to compare it. */
export interface StoredCheck {
  readonly database: Database;
  readonly log: ClientLog;
  /** Of the server. */
  readonly url: string;
  readonly accounts: readonly Account[];
}

/** Compares what is stored with the clients' log, checks the engine's files, and compares the API with what is stored. */
export async function checkStored({ database, log, url, accounts }: StoredCheck): Promise<string[]> {
  const stored = await readStoredWebsites(database);
  const found = [...log.check(stored), ...(await database.findDamage())];
  for (const account of accounts) {
    const inEngine = stored.filter(({ accountId }) => accountId === account.id).toSorted((a, b) => a.id - b.id);
    const list = new Siteward({ apiKey: account.apiKey, baseUrl: url }).websites.list({ sort: "asc" });
    const listed = await list.toArray({ limit: Number.POSITIVE_INFINITY });
    if (domainsOf(listed) !== domainsOf(inEngine)) {
      found.push(`Account ${account.id} lists ${listed.length} websites, but the engine stores ${inEngine.length}.`);
    }
  }
  return found;
}

function domainsOf(websites: readonly { readonly domain: string }[]): string {
  return websites.map(({ domain }) => domain).join();
}
