import type { Database } from "./database/database.ts";
import { SharedRead } from "./database/shared-read.ts";
import { withTimeout } from "./database/with-timeout.ts";
import { createAccountStore } from "./stores/accounts/account-store.ts";
import { createApiKeyStore } from "./stores/api-keys/api-key-store.ts";
import { createWebsiteStore } from "./stores/websites/website-store.ts";

/** Anybody may check, without a key: an answer is shared for this long, so that checks cannot load the database. */
const maxAgeMs = 500;
/** A frozen database says nothing; the check fails before the time-out of its caller, which is often longer. */
const maxWaitMs = 2_000;

/** The page of a client that lists its newest website. */
const newest = { sortBy: "id", sort: "desc", perPage: 1, start: { page: 1 } } as const;
const noKey = { hash: new Uint8Array(32), account_id: 0 };

/**
 * Returns what checks that the first database answers requests: it runs the queries of requests for the account of the
 * newest key, from the disk if the engine can do that. They read records that exist, since an index alone can tell that a
 * record does not.
 */
export function prepareReadiness(database: Database): () => Promise<void> {
  const { probe } = database;
  const probed: Database = { ...database, primary: probe, readUpToDate: (work) => work(probe) };
  const apiKeys = createApiKeyStore(probed);
  const accounts = createAccountStore(probed);
  const websites = createWebsiteStore(probed);
  const shared = new SharedRead(async () => {
    await probe.refresh();
    const { hash, account_id: accountId } = (await findNewestKey(probed)) ?? noKey;
    await apiKeys.findByHash(hash);
    await accounts.get(accountId);
    const { websites: found } = await websites.list(accountId, newest);
    await websites.get(accountId, found[0]?.id ?? 0);
  });
  let startedAtMs = Number.NEGATIVE_INFINITY;
  let answer = Promise.resolve();
  return () => {
    const nowMs = performance.now();
    if (nowMs - startedAtMs >= maxAgeMs) {
      startedAtMs = nowMs;
      answer = withTimeout(shared.run(), maxWaitMs);
    }
    return answer;
  };
}

async function findNewestKey({ primary, build }: Database) {
  const newest = build.selectFrom("api_keys").select(["hash", "account_id"]).orderBy("id", "desc").limit(1);
  const [key] = await primary.read(newest);
  return key;
}
