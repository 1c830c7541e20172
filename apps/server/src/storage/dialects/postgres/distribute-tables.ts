import { sql } from "kysely";
import { accounts } from "../../tables/accounts.ts";
import { columnNames, type Table } from "../../tables/table.ts";
import type { WriteConnection } from "../connection.ts";

/**
 * Distributes tables over the nodes of Citus as their descriptions say. The rows of an account are on one node. Runs in the
 * transaction that creates the tables, so that no server finds one of them on the coordinator alone.
 */
export async function distributeTables({ write }: WriteConnection, tables: readonly Table[]): Promise<void> {
  // Citus has no foreign keys from a table that every node has to one that is distributed.
  for (const table of tables.filter(refersToAccount)) {
    await write(sql`
      alter table ${sql.table(table.name)} drop constraint if exists ${sql.ref(`${table.name}_account_id_fkey`)}`);
  }
  // The others are placed as the accounts are.
  for (const table of tables.toSorted((left, right) => Number(right === accounts) - Number(left === accounts))) {
    await write(distribution(table));
  }
}

function refersToAccount(table: Table): boolean {
  return table.distributedBy === null && columnNames(table).includes("account_id");
}

function distribution(table: Table) {
  const name = sql.lit(table.name);
  if (table.distributedBy === null) return sql`select create_reference_table(${name})`;
  const column = sql.lit(table.distributedBy);
  if (table === accounts) return sql`select create_distributed_table(${name}, ${column})`;
  const others = sql.lit(accounts.name);
  return sql`select create_distributed_table(${name}, ${column}, colocate_with => ${others})`;
}
