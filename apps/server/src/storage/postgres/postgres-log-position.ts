import { type Connection, ownQuery, type SqlQuery } from "../engine/connection.ts";
import type { LogPosition } from "../engine/engine.ts";
import { sql } from "../engine/statement.ts";

const primaryPosition: SqlQuery<{ installation: string; timeline: number; bytes: number }> = ownQuery(sql`
  select system_identifier::text as installation, (flushed - '0/0')::bigint as bytes,
    ('x' || left(pg_walfile_name(flushed), 8))::bit(32)::bigint as timeline
  from pg_control_system(), pg_current_wal_flush_lsn() as flushed`);

/**
 * Returns the position up to which the primary's log is safe on its disk. Every acknowledged change is before it. A log
 * is identified by its installation and its timeline. A new timeline begins when a replica becomes the primary.
 */
export async function readPrimaryPosition(connection: Connection): Promise<LogPosition> {
  const [row] = await connection.execute(primaryPosition);
  if (row === undefined) throw new Error("The primary returned no position.");
  return { logs: [`${row.installation}/${row.timeline}`], bytes: row.bytes };
}

const replicaPosition: SqlQuery<{
  readonly installation: string;
  readonly checkpoint: number;
  readonly recovery: number;
  readonly bytes: number | null;
}> = ownQuery(sql`
  select system_identifier::text as installation, timeline_id as checkpoint, min_recovery_end_timeline as recovery,
    (pg_last_wal_replay_lsn() - '0/0')::bigint as bytes
  from pg_control_system(), pg_control_checkpoint(), pg_control_recovery()`);

/**
 * Returns the position up to which a replica has replayed the log of its primary. The log is that of a timeline which
 * the replica is known to have reached: of its last checkpoint, or of its minimum recovery point.
 */
export async function readReplicaPosition(connection: Connection): Promise<LogPosition> {
  const [row] = await connection.execute(replicaPosition);
  if (row === undefined || row.bytes === null) {
    throw new Error("A database that is configured as a replica is not one: it does not replay a log.");
  }
  const { installation, checkpoint, recovery, bytes } = row;
  return { logs: [`${installation}/${checkpoint}`, `${installation}/${recovery}`], bytes };
}
