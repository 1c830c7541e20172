import type { ReadConnection, WriteConnection } from "../engine/connection.ts";
import type { DatabaseServer } from "../engine/engine.ts";
import { listNames, sql } from "../engine/statement.ts";
import { InstallationError } from "../interface/installation-error.ts";
import { tables } from "../tables/schema.ts";
import { readCitus } from "./citus-tables.ts";

/**
 * Describes who has used a table of ours for the longest time in a transaction, such as a backup. Returns undefined if
 * nobody does on this server. A user without `pg_read_all_stats` sees neither the time nor the program of others.
 */
export async function findLockHolder({ read }: ReadConnection): Promise<string | undefined> {
  const [holder] = await read<Holder>(
    sql`
    select pid, application_name as program, usename as "user", xact_start as since,
      string_agg(distinct relname, ', ' order by relname) as used
    from pg_locks join pg_stat_activity using (pid) join pg_class on pg_class.oid = relation
    where granted and datname = current_database() and relname = any(:names) and pid <> pg_backend_pid()
    group by pid, application_name, usename, xact_start order by xact_start nulls last, pid limit 1`,
    { names: Object.keys(tables) },
  );
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

export const lockUnused: DatabaseServer["lockUnused"] = async (transaction, tables) => {
  const requireUnused = () => refuseOthers(transaction);
  const citus = await readCitus(transaction);
  if (citus !== undefined && citus.distributed.length > 0) {
    const message =
      "The source is distributed over nodes of Citus, and each of them tells only who is connected to itself.";
    throw new InstallationError("source_not_checkable", message);
  }
  await allowLongWork(transaction);
  await requireUnused();
  await transaction.write(sql`lock table ${listNames(tables.map(({ name }) => name))} in share mode`);
  return requireUnused;
};

/** Ends the timeouts of the role for this transaction. A pooler ignores those of our connection. */
export async function allowLongWork({ write }: WriteConnection): Promise<void> {
  await write(sql`set local statement_timeout = 0`);
  await write(sql`set local idle_in_transaction_session_timeout = 0`);
}

/** A program that had to wait for the lock would store its changes after the copy, which would then lack them. */
async function refuseOthers({ read }: ReadConnection): Promise<void> {
  // A transaction sees who was connected when it looked for the first time.
  await read(sql`select pg_stat_clear_snapshot()`);
  const connected = await read<{ pid: number; name: string; isOwn: boolean }>(sql`
    select pid, application_name as name, application_name = current_setting('application_name') as "isOwn"
    from pg_stat_activity where datname = current_database() and application_name like 'siteward%' order by pid`);
  const others = connected.filter(({ isOwn }) => !isOwn);
  if (connected.length === others.length) {
    const message = "The source does not tell who is connected to it: pg_stat_activity lacks even this command.";
    throw new InstallationError("source_not_checkable", message);
  }
  const [first] = others;
  if (first === undefined) return;
  const connections = others.length === 1 ? "a connection" : `${others.length} connections`;
  const example = `"${first.name}" with the process ID ${first.pid}`;
  throw new InstallationError("source_in_use", `The source has ${connections} of Siteward, such as ${example}.`);
}
