import type { ReadConnection } from "../dialects/connection.ts";
import type { Schema } from "../tables/schema.ts";
import { toWriteConnection } from "./connections.ts";
import { retryConflicts, type WriteTarget } from "./write-transaction.ts";

/** Tables that cannot be changed until they are released. */
export interface LockedTables {
  /** Reads the tables as they were when they were locked. */
  readonly connection: ReadConnection;
  /** Releases the tables. It rolls back the transaction that locks them, which changed nothing. */
  release(): Promise<void>;
}

/**
 * Locks tables against changes. See `Database.lockTables`.
 *
 * @throws StorageError `unavailable` if others keep writing to the tables
 */
export function lockTables(
  { kysely, dialect, build }: WriteTarget,
  tables: readonly (keyof Schema)[],
): Promise<LockedTables> {
  return retryConflicts(dialect, async () => {
    const transaction = await kysely.startTransaction().execute();
    const release = async () => {
      // A lost connection has released its locks. The next read through it reports the loss.
      await transaction
        .rollback()
        .execute()
        .catch(() => undefined);
    };
    const connection = toWriteConnection(transaction, build);
    try {
      await dialect.lockTables(connection, tables);
    } catch (error) {
      await release();
      throw error;
    }
    return { connection, release };
  });
}
