import { accounts } from "../../tables/accounts.ts";
import type { ReadConnection } from "../connection.ts";
import { hasAccounts } from "./has-accounts.ts";
import { readCitus } from "./read-citus.ts";

/**
 * Says why the tables of a migrated database are on one node of Citus, and what to do about it. Returns undefined if they are
 * distributed, or if the database has no Citus.
 */
export async function explainUndistributed(connection: ReadConnection): Promise<string | undefined> {
  const citus = await readCitus(connection);
  if (citus === undefined || citus.distributed.includes(accounts.name)) return undefined;
  if (await hasAccounts(connection)) return hadAccounts;
  return citus.hasWorkers ? undefined : hasNoWorkers;
}

const hasNoWorkers =
  "Citus has no workers here, so all tables are on this node. Add the workers with `citus_add_node` on the coordinator, and run " +
  "`siteward-server migrate` there again before you create an account.";

const hadAccounts =
  "Citus does not distribute the tables, because they already contain accounts: all rows are on this node. To distribute them, " +
  "create another database, add the workers to it with `citus_add_node`, and copy this one to it with `siteward-server copy`.";
