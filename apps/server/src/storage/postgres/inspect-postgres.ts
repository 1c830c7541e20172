import { ownQuery, type SqlQuery } from "../engine/connection.ts";
import { type Engine, type EngineInspection, missingBytes } from "../engine/engine.ts";
import { sql } from "../engine/statement.ts";
import { InstallationError, reasonOf } from "../interface/installation-error.ts";
import { isOtherServerLost } from "./postgres-error.ts";
import { readPrimaryPosition, readReplicaPosition } from "./postgres-log-position.ts";
import { PostgresPool } from "./postgres-pool.ts";
import { type PostgresSettings, readPostgresUrl } from "./postgres-url.ts";
import { describeLocation, requireUsable, requireWritable } from "./usable.ts";

/** Looks at a database of PostgreSQL, with at most four connections and one more for each replica. */
export const inspectPostgres: Engine["inspect"] = async ({ databaseUrl, setting }, replicas) => {
  const settings = readPostgresUrl(databaseUrl, setting);
  const [reader, writer] = [new PostgresPool(settings, reads), new PostgresPool(settings, writes)];
  const open = [reader, writer];
  const read: EngineInspection["read"] = async (work) => {
    const { isDistributed } = await requireUsable(reader, settings, true);
    return work(reader).catch((error: unknown) => {
      throw isDistributed && isOtherServerLost(error) ? nodeDown(error, settings) : error;
    });
  };
  return {
    name: describeLocation(settings.client),
    folder: undefined,
    read,
    requireWritable: () => requireWritable(writer, settings),
    readFiles: async () => [],
    async readClock(connection) {
      const [row] = await connection.execute(clock);
      return row?.now;
    },
    async readReplicas() {
      const all = replicas.map((location) => readPostgresUrl(location.databaseUrl, location.setting));
      const states = all.map(async (replicaSettings) => {
        const replica = new PostgresPool(replicaSettings, { ...reads, name: "replica", max: 1 });
        open.push(replica);
        const name = describeLocation(replicaSettings.client);
        try {
          const needed = await read(readPrimaryPosition);
          return { name, fault: undefined, lagBytes: missingBytes(await readReplicaPosition(replica), needed) };
        } catch (error) {
          return { name, fault: reasonOf(error), lagBytes: 0 };
        }
      });
      return Promise.all(states);
    },
    close: async () => void (await Promise.all(open.map((pool) => pool.close()))),
  };
};

/** Citus names the node in the first line of its message. */
function nodeDown(error: unknown, { client }: PostgresSettings): InstallationError {
  const [reason] = reasonOf(error).split("\n");
  const message = `The ${describeLocation(client)} answers, but another node of Citus does not: ${reason}`;
  return new InstallationError("node_down", message, error);
}

const reads = { max: 2, name: "read" } as const;
const writes = { ...reads, max: 1, name: "write" } as const;

const clock: SqlQuery<{ now: number }> = ownQuery(
  sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
);
