import { CompiledQuery } from "kysely";
import type { DirectReader } from "./dialect.ts";

/** The place up to which the primary's log is safe on its disk, in bytes. What was acknowledged lies before it. */
export function readPrimaryPosition(direct: DirectReader): Promise<number> {
  return readPosition(direct, "pg_current_wal_flush_lsn()");
}

/** The place up to which a replica has replayed the primary's log, in bytes. */
export function readReplicaPosition(direct: DirectReader): Promise<number> {
  return readPosition(direct, "pg_last_wal_replay_lsn()");
}

async function readPosition(direct: DirectReader, position: string): Promise<number> {
  const [row] = await direct.readValues(CompiledQuery.raw(`select (${position} - '0/0'::pg_lsn)::bigint`));
  const bytes = row?.[0];
  if (typeof bytes === "number") return bytes;
  throw new Error("The database of DATABASE_REPLICA_URLS is no replica: it replays no log.");
}
