import { accounts } from "../../tables/accounts.ts";
import { columnNames, type Table } from "../../tables/table.ts";

/**
 * Returns the statements that distribute tables over the nodes of Citus as their descriptions say. The rows of an account are on one
 * node. They run in the transaction that creates the tables, so that no server finds one of them on the coordinator alone.
 */
export function distributionOf(tables: readonly Table[]): string[] {
  return [
    // Citus has no foreign keys from a table that every node has to one that is distributed.
    ...tables
      .filter(refersToAccount)
      .map(({ name }) => `alter table ${name} drop constraint if exists ${name}_account_id_fkey`),
    // The others are placed as the accounts are.
    ...tables.toSorted((left, right) => Number(right === accounts) - Number(left === accounts)).map(distribution),
  ];
}

function refersToAccount(table: Table): boolean {
  return table.distributedBy === null && columnNames(table).includes("account_id");
}

function distribution(table: Table): string {
  const { name, distributedBy } = table;
  if (distributedBy === null) return `select create_reference_table('${name}')`;
  if (table === accounts) return `select create_distributed_table('${name}', '${distributedBy}')`;
  return `select create_distributed_table('${name}', '${distributedBy}', colocate_with => '${accounts.name}')`;
}
