import { InstallationError } from "../../interface/installation-error.ts";
import { accounts } from "../../tables/accounts.ts";
import { tables } from "../../tables/schema.ts";
import type { Table } from "../../tables/table.ts";
import type { ReadConnection } from "../connection.ts";
import { hasAccounts } from "./has-accounts.ts";
import { readCitus } from "./read-citus.ts";

/**
 * Returns the tables that the nodes of Citus do not share yet. None if the database has no Citus, if Citus has no workers, or if the
 * accounts of an installation are on the coordinator alone: to distribute them would block it for as long as they are copied.
 *
 * @throws InstallationError `not_coordinator` if there are any and the node is a worker, which cannot distribute them
 */
export async function findUndistributed(connection: ReadConnection): Promise<readonly Table[]> {
  const citus = await readCitus(connection);
  if (citus === undefined || !citus.hasWorkers) return [];
  const undistributed = Object.values<Table>(tables).filter(({ name }) => !citus.distributed.includes(name));
  if (undistributed.length === 0) return [];
  if (!citus.isCoordinator) {
    const names = undistributed.map(({ name }) => name).join(", ");
    throw new InstallationError("not_coordinator", `This node of Citus is a worker, and lacks ${names}.`);
  }
  return undistributed.includes(accounts) && (await hasAccounts(connection)) ? [] : undistributed;
}
