import type { AccountStore, AccountTotals } from "../../storage/interface/account-store.ts";

/** Scrapes come every few seconds, and 100,000 accounts take 4 ms to count on SQLite, while which the process does nothing else. */
const maxAgeMs = 60_000;
/** A database that is slow or fails must not keep the other metrics back. They are most useful then. */
const maxWaitMs = 300;

/**
 * Returns a function that counts the accounts and their websites, at most once a minute. It returns what was counted last, or undefined,
 * if the database does not answer soon.
 */
export function readTotals(
  accounts: Pick<AccountStore, "totals">,
  now: () => number = () => performance.now(),
): () => Promise<AccountTotals | undefined> {
  let last: AccountTotals | undefined;
  let counting: Promise<void> | undefined;
  let countedAtMs = Number.NEGATIVE_INFINITY;
  const count = async () => {
    countedAtMs = now();
    last = await accounts.totals().catch(() => last);
    counting = undefined;
  };
  return async () => {
    if (counting === undefined && now() - countedAtMs >= maxAgeMs) counting = count();
    if (counting !== undefined) await Promise.race([counting, waitFor(maxWaitMs)]);
    return last;
  };
}

function waitFor(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}
