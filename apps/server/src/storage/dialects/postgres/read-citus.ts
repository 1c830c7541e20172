import { sql } from "kysely";
import type { ReadConnection } from "../connection.ts";

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
  const [citus] = await read(sql<Citus>`
    select
      (select groupid = 0 from pg_dist_local_group) as "isCoordinator",
      exists (select 1 from pg_dist_node where groupid <> 0 and noderole = 'primary') as "hasWorkers",
      array(
        select relname::text from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
        where pg_table_is_visible(pg_class.oid) and (partmethod <> 'n' or repmodel = 't')
      ) as distributed`);
  return citus;
}
