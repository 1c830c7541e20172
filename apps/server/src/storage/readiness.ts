import type { Database, Reader } from "./database/database.ts";
import { SharedAnswer } from "./database/shared-answer.ts";
import { withinTime } from "./database/within-time.ts";
import { createAccountStore } from "./stores/accounts/account-store.ts";
import { createApiKeyStore } from "./stores/api-keys/api-key-store.ts";
import { createWebsiteStore } from "./stores/websites/website-store.ts";

/** Anybody may ask, without a key: an answer is shared for this long, so that asking cannot load the database. */
const maxAgeMs = 500;
/** A database that is frozen says nothing; whoever asks is told so before their own time-out, which is often longer. */
const maxWaitMs = 2_000;

/** The page of a client that asks for its newest website. */
const newest = { sortBy: "id", sort: "desc", perPage: 1, start: { page: 1 } } as const;
const noKey = { hash: new Uint8Array(32), account_id: 0 };

/**
 * Gives what asks the first database whether it answers requests: it runs their own queries for the account of the newest
 * key, from the disk if the engine can do that. They read records that exist, since an index alone can tell that none does.
 */
export function prepareReadiness(database: Database): () => Promise<void> {
  const { probe } = database;
  const probed: Database = { ...database, ...probe, reading: (work) => work(probe) };
  const apiKeys = createApiKeyStore(probed);
  const accounts = createAccountStore(probed);
  const websites = createWebsiteStore(probed);
  const shared = new SharedAnswer(async () => {
    await probe.refresh();
    const { hash, account_id: accountId } = (await findNewestKey(probe)) ?? noKey;
    await apiKeys.findByHash(hash);
    await accounts.get(accountId);
    const { websites: found } = await websites.list(accountId, newest);
    await websites.get(accountId, found[0]?.id ?? 0);
  });
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let answer = Promise.resolve();
  return () => {
    const nowMs = performance.now();
    if (nowMs - askedAtMs >= maxAgeMs) {
      askedAtMs = nowMs;
      answer = withinTime(shared.ask(), maxWaitMs);
    }
    return answer;
  };
}

function findNewestKey({ read }: Reader): Promise<{ hash: Uint8Array; account_id: number } | undefined> {
  return read.selectFrom("api_keys").select(["hash", "account_id"]).orderBy("id", "desc").limit(1).executeTakeFirst();
}
