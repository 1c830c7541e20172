import type { Kysely } from "kysely";
import type { ReadConnection } from "../dialects/connection.ts";
import type { StorageDialect } from "../dialects/dialect.ts";
import type { Schema } from "../tables/schema.ts";
import { toWriteConnection } from "./connections.ts";
import { retryConflicts } from "./write-transaction.ts";

/** Tables that nobody can change until they are released. */
export interface LockedTables {
  /** Reads the tables as they were when they were locked. */
  readonly connection: ReadConnection;
  /** Nothing was changed: the transaction that locks the tables is rolled back. */
  release(): Promise<void>;
}

/** @throws StorageError `unavailable` if others keep writing to the tables */
export function lockTables(
  kysely: Kysely<Schema>,
  dialect: StorageDialect,
  tables: readonly (keyof Schema)[],
): Promise<LockedTables> {
  return retryConflicts(dialect, async () => {
    const transaction = await kysely.startTransaction().execute();
    const release = async () => {
      // A connection that is lost has released its locks; whoever reads through it learns of the loss.
      await transaction
        .rollback()
        .execute()
        .catch(() => undefined);
    };
    const connection = toWriteConnection(transaction);
    try {
      await dialect.lockTables(connection, tables);
    } catch (error) {
      await release();
      throw error;
    }
    return { connection, release };
  });
}
