import type { Database } from "../database/database.ts";
import { InstallationError } from "../interface/installation-error.ts";
import { migrateWithin } from "../migrations/migrate.ts";
import { migrations } from "../migrations/migrations.ts";
import { readMark, setMark } from "../migrations/unfinished-copy.ts";

/**
 * Migrates the destination to this program's version and marks it as an unfinished copy, in one transaction.
 *
 * @throws InstallationError `destination_in_use` if it contains data that no copy wrote
 */
export async function prepareDestination(destination: Database, mark: string): Promise<void> {
  await destination.write(async (transaction) => {
    await migrateWithin(transaction, destination, migrations);
    const isUnfinished = (await readMark(transaction)) !== undefined;
    const accounts = await transaction.read(transaction.build.selectFrom("accounts").select("id").limit(1));
    if (accounts.length > 0 && !isUnfinished) {
      throw new InstallationError(
        "destination_in_use",
        "The destination contains accounts and is not an unfinished copy. Nothing in it was changed.",
      );
    }
    await setMark(transaction, mark, destination.now());
  });
}
