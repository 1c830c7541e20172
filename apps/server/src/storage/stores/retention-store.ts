import { keptMs } from "@siteward/service";
import type { AccountExpiry } from "../changes/delete-expired.ts";
import type { Database } from "../engine/database.ts";
import { sql } from "../engine/statement.ts";
import type { RetentionStore } from "../interface/retention-store.ts";

/** On SQLite, checking an account takes about 4 µs, for which the process answers no request. */
const accountsPerRead = 100;

export function createRetentionStore(
  { primary, now }: Pick<Database, "primary" | "now">,
  deleteExpired: (expiry: AccountExpiry) => Promise<boolean>,
): RetentionStore {
  const readExpiry = (auditRetentionMs: number) => ({
    // An outcome needs the entry of its creation, however short the retention is.
    entriesSince: Math.max(0, now() - Math.max(auditRetentionMs, keptMs)),
    outcomesUntil: now() - keptMs,
  });
  return {
    async findExpired({ afterAccountId, auditRetentionMs }) {
      const { entriesSince, outcomesUntil } = readExpiry(auditRetentionMs);
      const accounts = await primary.read<OldestTimes>(selectOldest, { afterAccountId });
      const expired = accounts.filter(
        ({ entry_at: entryAt, outcome_at: outcomeAt }) =>
          (entryAt !== null && entryAt < entriesSince) || (outcomeAt !== null && outcomeAt <= outcomesUntil),
      );
      const isLast = accounts.length < accountsPerRead;
      return { accountIds: expired.map(({ id }) => id), lastAccountId: isLast ? undefined : accounts.at(-1)?.id };
    },
    deleteExpired: (accountId, auditRetentionMs) => deleteExpired({ accountId, ...readExpiry(auditRetentionMs) }),
  };
}

interface OldestTimes {
  readonly id: number;
  readonly entry_at: number | null;
  readonly outcome_at: number | null;
}

/** Selects the oldest times of the next accounts, each of which is the first in an index. */
const selectOldest = sql`select id,
    (select at from audit_entries where account_id = accounts.id order by 1 limit 1) as entry_at,
    (select created_at from idempotency_keys where account_id = accounts.id order by 1 limit 1) as outcome_at
  from accounts where id > :afterAccountId order by id limit ${accountsPerRead}`;
