import type { TestDatabase } from "../engines.ts";

/** What a database with Citus looks like on one of its nodes. */
export interface PretendedNode {
  readonly isCoordinator: boolean;
  /** True by default. */
  readonly hasWorkers?: boolean;
  /** The names of the tables that the nodes share. */
  readonly distributed?: readonly string[];
}

/**
 * Gives a database the catalog of Citus, and its functions, which only note what they would distribute. The tests have no Citus of
 * their own: CONTRIBUTING.md says how to run them on one.
 */
export async function pretendCitus(
  { execute }: Pick<TestDatabase, "execute">,
  { isCoordinator, hasWorkers = true, distributed = [] }: PretendedNode,
): Promise<void> {
  const entries = distributed.map((name) => `insert into pg_dist_partition values ('${name}', 'h', 's');`);
  await execute(`
    set allow_system_table_mods = on;
    insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
      values (99999, 'citus', 10, 2200, false, '13.0');
    create table pg_dist_local_group (groupid integer);
    insert into pg_dist_local_group values (${isCoordinator ? 0 : 1});
    create table pg_dist_node (groupid integer, noderole text);
    insert into pg_dist_node values (0, 'primary')${hasWorkers ? ", (1, 'primary')" : ""};
    create table pg_dist_partition (logicalrelid regclass, partmethod "char", repmodel "char");
    create function create_distributed_table(name regclass, by text, colocate_with text default 'default') returns void
      language sql as $$ insert into pg_dist_partition values (name, 'h', 's') $$;
    create function create_reference_table(name regclass) returns void
      language sql as $$ insert into pg_dist_partition values (name, 'n', 't') $$;
    ${entries.join("\n")}`);
}
