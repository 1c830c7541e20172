import type { DatabaseConnection, Driver, TransactionSettings } from "kysely";

/** Runs `work` on a connection that nobody else uses until it has ended. */
export async function runOnConnection<Result>(
  driver: Driver,
  work: (connection: DatabaseConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await driver.acquireConnection();
  try {
    return await work(connection);
  } finally {
    await driver.releaseConnection(connection);
  }
}

/**
 * Runs `work` in a transaction, which commits when `work` returns and rolls back when it throws. Kysely's own runtime takes as
 * long for a transaction as SQLite takes for the statements of an update.
 */
export async function runInTransaction<Result>(
  driver: Driver,
  connection: DatabaseConnection,
  settings: TransactionSettings,
  work: () => Promise<Result>,
): Promise<Result> {
  await driver.beginTransaction(connection, settings);
  try {
    const result = await work();
    await driver.commitTransaction(connection);
    return result;
  } catch (error) {
    await driver.rollbackTransaction(connection);
    throw error;
  }
}
