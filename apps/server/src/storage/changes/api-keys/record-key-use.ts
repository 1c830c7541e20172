import type { Database } from "../../database/database.ts";

/** Writes when API keys were last used, by key id. */
export function prepareRecordKeyUse(database: Database): (uses: ReadonlyMap<number, Date>) => Promise<void> {
  return (uses) => recordUse(database, uses);
}

async function recordUse({ build, write }: Database, uses: ReadonlyMap<number, Date>): Promise<void> {
  if (uses.size === 0) return;
  await write(async (transaction) => {
    // In order of id, so that processes that update the same keys never deadlock.
    for (const [id, time] of [...uses].toSorted(([left], [right]) => left - right)) {
      const usedAt = time.getTime();
      await transaction.write(
        build
          .updateTable("api_keys")
          .set({ last_used_at: usedAt })
          .where("id", "=", id)
          .where(({ eb, or }) => or([eb("last_used_at", "is", null), eb("last_used_at", "<", usedAt)])),
      );
    }
  });
}
