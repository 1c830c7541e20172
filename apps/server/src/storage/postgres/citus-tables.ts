import type { ReadConnection } from "../engine/connection.ts";
import { InstallationError } from "../interface/installation-error.ts";
import { accounts, tables } from "../tables/schema.ts";
import { listNames, type Sql, sql } from "../tables/sql.ts";
import { columnNames, type Table } from "../tables/table.ts";

/** What a node of Citus knows of its cluster. */
export interface Citus {
  /** Whether this node is the coordinator, the only one that changes tables. */
  readonly isCoordinator: boolean;
  readonly hasWorkers: boolean;
  /** The names of the tables that are distributed, or that every node has. */
  readonly distributed: readonly string[];
}

/** Reads the catalog of Citus. Returns undefined if the database does not have it. Needs no privilege. */
export async function readCitus({ read }: ReadConnection): Promise<Citus | undefined> {
  const extension = await read(sql`select 1 from pg_extension where extname = 'citus'`);
  if (extension.length === 0) return undefined;
  // Tables that Citus only knows of are local: `partmethod` n, and `repmodel` not t.
  const [citus] = await read<Citus>(sql`
    select
      (select groupid = 0 from pg_dist_local_group) as "isCoordinator",
      exists (select 1 from pg_dist_node where groupid <> 0 and noderole = 'primary') as "hasWorkers",
      array(
        select relname::text from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
        where pg_table_is_visible(pg_class.oid) and (partmethod <> 'n' or repmodel = 't')
      ) as distributed`);
  return citus;
}

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

/** Says what to do about it, too. Undefined also if the database has no Citus. */
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

/**
 * Returns the statements that distribute tables over the nodes of Citus as their descriptions say. The rows of an account are on one
 * node. They run in the transaction that creates the tables, so that no server finds one of them on the coordinator alone.
 */
export function distributionOf(tables: readonly Table[]): Sql[] {
  return [
    // Citus has no foreign keys from a table that every node has to one that is distributed.
    ...tables
      .filter(refersToAccount)
      .map(({ name }) =>
        listNames([name], (table) => sql`alter table ${table} drop constraint if exists ${table}_account_id_fkey`),
      ),
    // The others are placed as the accounts are.
    ...tables.toSorted((left, right) => Number(right === accounts) - Number(left === accounts)).map(distribution),
  ];
}

function refersToAccount(table: Table): boolean {
  return table.distributedBy === null && columnNames(table).includes("account_id");
}

function distribution(table: Table): Sql {
  const { distributedBy } = table;
  const name = listNames([table.name]);
  if (distributedBy === null) return sql`select create_reference_table('${name}')`;
  if (table === accounts) return sql`select create_distributed_table('${name}', '${listNames([distributedBy])}')`;
  return sql`select create_distributed_table('${name}', '${listNames([distributedBy])}', colocate_with => 'accounts')`;
}

async function hasAccounts({ read }: ReadConnection): Promise<boolean> {
  const table = await read(sql`select 1 where to_regclass('accounts') is not null`);
  return table.length > 0 && (await read(sql`select id from accounts limit 1`)).length > 0;
}
