import { sql } from "kysely";
import { tables } from "../../tables/schema.ts";
import type { ReadConnection } from "../connection.ts";

/**
 * Describes who has used a table of ours for the longest time in a transaction, such as a backup. Returns undefined if nobody does
 * on this server. A user without `pg_read_all_stats` sees neither the time nor the program of others.
 */
export async function findLockHolder({ read }: ReadConnection): Promise<string | undefined> {
  const names = sql.join(Object.keys(tables).map((name) => sql.lit(name)));
  const [holder] = await read(sql<Holder>`
    select pid, application_name as program, usename as "user", xact_start as since,
      string_agg(distinct relname, ', ' order by relname) as used
    from pg_locks join pg_stat_activity using (pid) join pg_class on pg_class.oid = relation
    where granted and datname = current_database() and relname in (${names}) and pid <> pg_backend_pid()
    group by pid, application_name, usename, xact_start order by xact_start nulls last, pid limit 1`);
  if (holder === undefined) return undefined;
  const { pid, program, user, since, used } = holder;
  const name = program ? `${program} (PID ${pid}, user ${user})` : `PID ${pid} (user ${user})`;
  return `${name} has used ${used}${since === null ? "" : ` since ${since.toISOString()}`}`;
}

interface Holder {
  readonly pid: number;
  readonly program: string | null;
  readonly user: string;
  readonly since: Date | null;
  readonly used: string;
}
