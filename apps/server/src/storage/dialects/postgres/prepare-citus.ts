import { sql } from "kysely";
import { InstallationError } from "../../interface/installation-error.ts";
import type { ReadConnection } from "../connection.ts";
import { readCitus } from "./read-citus.ts";

/**
 * Prepares a transaction for changes of tables, if the database has Citus. From then on, the workers get the settings of the
 * transaction.
 *
 * @throws InstallationError `not_coordinator` if the node is a worker
 */
export async function prepareCitus(transaction: ReadConnection): Promise<void> {
  const citus = await readCitus(transaction);
  if (citus === undefined) return;
  if (!citus.isCoordinator) {
    throw new InstallationError("not_coordinator", "This node of Citus is a worker, which cannot change tables.");
  }
  // Not `set local`: Citus would send that statement to the workers too, which then refuse to change tables.
  await transaction.read(sql`select set_config('citus.propagate_set_commands', 'local', true)`);
}
