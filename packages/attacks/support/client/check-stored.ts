import type { Database } from "@siteward/testing/engines/database";
import type { Account } from "@siteward/testing/servers/operate";
import type { ClientLog } from "./client-log.ts";
import type { HttpClient } from "./http-client.ts";
import { readStoredWebsites } from "./stored-websites.ts";

/** What to check, and with what to compare it. */
export interface StoredCheck {
  readonly database: Database;
  readonly log: ClientLog;
  readonly client: HttpClient;
  readonly accounts: readonly Account[];
}

/** Compares what is stored with the clients' log, checks the engine's files, and compares the API with what is stored. */
export async function checkStored({ database, log, client, accounts }: StoredCheck): Promise<string[]> {
  const stored = await readStoredWebsites(database);
  const found = [...log.check(stored), ...(await database.findDamage())];
  for (const account of accounts) {
    const inEngine = stored.filter(({ accountId }) => accountId === account.id).toSorted((a, b) => a.id - b.id);
    const listed = await readDomainsThroughApi(client, account);
    if (listed.join() !== inEngine.map(({ domain }) => domain).join()) {
      found.push(`Account ${account.id} lists ${listed.length} websites, but the engine stores ${inEngine.length}.`);
    }
  }
  return found;
}

interface Page {
  readonly data: readonly { readonly domain: string }[];
  readonly links: { readonly next: string | null };
}

/** Reads the domains of an account's websites page by page, as a client does. */
async function readDomainsThroughApi(client: HttpClient, { apiKey }: Account): Promise<string[]> {
  const domains: string[] = [];
  let path: string | undefined = "/api/v1/websites?per_page=100&sort=asc";
  while (path !== undefined) {
    const { status, text, json } = await client.send("GET", path, { apiKey });
    if (status !== 200) throw new Error(`A list was answered with ${status}: ${text}`);
    // Other tests check the contract.
    const { data, links } = json as Page;
    domains.push(...data.map(({ domain }) => domain));
    path = links.next === null ? undefined : links.next.slice(new URL(links.next).origin.length);
  }
  return domains;
}
