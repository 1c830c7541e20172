import type { Database } from "../database/database.ts";
import { transact } from "../database/transact.ts";
import { InstallationError } from "../installation-error.ts";
import { migrateWithin } from "../migrations/migrate.ts";
import { migrations } from "../migrations/migrations.ts";
import { readMark, setMark } from "../migrations/unfinished-copy.ts";

/**
 * Brings the destination to this program's version and marks it as being copied into, all at once or not at all.
 *
 * @throws Error where it holds data that no copy brought
 */
export async function prepareDestination(destination: Database, mark: string): Promise<void> {
  await transact(destination, async (transaction) => {
    await migrateWithin(transaction, destination, migrations);
    const isUnfinished = (await readMark(transaction)) !== undefined;
    const account = await transaction.selectFrom("accounts").select("id").limit(1).executeTakeFirst();
    if (account !== undefined && !isUnfinished) {
      throw new InstallationError(
        "destination_in_use",
        "The destination contains accounts and is not an unfinished copy. Nothing in it was changed.",
      );
    }
    await setMark(transaction, mark, destination.now());
  });
}
