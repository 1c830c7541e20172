import type { Database } from "../engines/database.ts";
import type { Account } from "../row.ts";
import type { ClientLog } from "./client-log.ts";
import type { HttpClient } from "./http-client.ts";
import { readDomainsThroughApi } from "./read-through-api.ts";
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
