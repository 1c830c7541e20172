import type { ReadConnection } from "../dialects/connection.ts";
import type { Schema } from "../tables/schema.ts";
import { retryConflicts, type WriteTarget, writeOnce } from "./write-transaction.ts";

/** Tables that cannot be changed until they are released. */
export interface LockedTables {
  /** Reads the tables as they were when they were locked. */
  readonly connection: ReadConnection;
  /** Releases the tables. It rolls back the transaction that locks them. */
  release(): Promise<void>;
}

/**
 * Locks tables against changes. See `Database.lockTables`.
 *
 * @throws AppError `unavailable` if others keep writing to the tables
 */
export function lockTables(target: WriteTarget, tables: readonly (keyof Schema)[]): Promise<LockedTables> {
  return retryConflicts(target.dialect, async () => {
    const locked = Promise.withResolvers<ReadConnection>();
    const released = Promise.withResolvers<void>();
    const ended = writeOnce(target, async (transaction) => {
      await target.dialect.lockTables(transaction, tables);
      locked.resolve(transaction);
      await released.promise;
      throw new Released();
    });
    ended.catch(locked.reject);
    return {
      connection: await locked.promise,
      async release() {
        released.resolve();
        // A lost connection has released its locks. The next read through it reports the loss.
        await ended.catch(() => undefined);
      },
    };
  });
}

/** Rolls back the transaction that locks the tables. */
class Released extends Error {}
