import type { Transaction } from "kysely";
import type { Database } from "../database/database.ts";
import { transact } from "../database/transact.ts";
import { InstallationError } from "../installation-error.ts";
import { StorageError } from "../storage-error.ts";
import type { Schema } from "../tables/schema.ts";
import { copiedTables } from "./copied-tables.ts";

/**
 * Keeps everybody from writing to the database while `work` reads it. Reads go on. Nothing is changed: the transaction
 * that holds it is rolled back.
 *
 * @throws InstallationError `source_busy` if others keep writing to it, and what `work` throws
 */
export async function holdStill<Result>(
  database: Database,
  work: (held: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  const tables = copiedTables.map(({ name }) => name);
  const outcomes: PromiseSettledResult<Result>[] = [];
  const holding = transact(database, async (transaction) => {
    await database.dialect.holdTables(transaction, tables);
    outcomes.push(...(await Promise.allSettled([work(transaction)])));
    // Whatever `work` met, only taking hold is tried again.
    throw new Released();
  });
  await holding.catch((error: unknown) => {
    if (outcomes.length === 0) throw cannotHold(error);
  });
  const [outcome] = outcomes;
  if (outcome?.status === "fulfilled") return outcome.value;
  throw outcome?.reason;
}

class Released extends Error {}

function cannotHold(error: unknown): unknown {
  if (!(error instanceof StorageError)) return error;
  const reason = error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return new InstallationError(
    "source_busy",
    `The source cannot be locked, because others keep writing to it${reason}.`,
    error,
  );
}
