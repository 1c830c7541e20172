import { CompiledQuery } from "kysely";
import type { DatabaseLocation, SqlQuery } from "../engine/connection.ts";
import type { DialectInspection } from "../engine/dialect.ts";
import { InstallationError } from "../interface/installation-error.ts";
import { isOtherServerLost } from "./postgres-error.ts";
import { readPrimaryPosition, readReplicaPosition } from "./postgres-log-position.ts";
import { PostgresPool } from "./postgres-pool.ts";
import { type PostgresSettings, readPostgresUrl } from "./postgres-url.ts";
import { describeLocation, requireUsable, requireWritable } from "./usable.ts";

/** Looks at a database of PostgreSQL, with at most four connections and one more for each replica. */
export async function inspectPostgres({ databaseUrl, setting }: DatabaseLocation): Promise<DialectInspection> {
  const settings = readPostgresUrl(databaseUrl, setting);
  const [reader, writer] = [new PostgresPool(settings, reads), new PostgresPool(settings, writes)];
  const open = [reader, writer];
  return {
    name: describeLocation(settings.client),
    isFile: false,
    async read(work) {
      const { isDistributed } = await requireUsable(reader, settings, true);
      return work(reader).catch((error: unknown) => {
        throw isDistributed && isOtherServerLost(error) ? nodeDown(error, settings) : error;
      });
    },
    requireWritable: () => requireWritable(writer, settings),
    readFiles: async () => [],
    readFreeBytes: async () => undefined,
    async readClock(driver) {
      const [row] = await driver.readRows<{ now: number }>(clock);
      return row?.now;
    },
    primaryPosition: readPrimaryPosition,
    async openReplicas(locations) {
      const all = locations.map((location) => readPostgresUrl(location.databaseUrl, location.setting));
      return all.map((replica) => {
        const read = new PostgresPool(replica, { ...reads, name: "replica", max: 1 });
        open.push(read);
        return { name: describeLocation(replica.client), read, position: readReplicaPosition };
      });
    },
    close: async () => void (await Promise.all(open.map((pool) => pool.close()))),
  };
}

/** Citus names the node in the first line of its message. */
function nodeDown(error: unknown, { client }: PostgresSettings): InstallationError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const [reason] = String(cause instanceof Error ? cause.message : cause).split("\n");
  const message = `The ${describeLocation(client)} answers, but another node of Citus does not: ${reason}`;
  return new InstallationError("node_down", message, error);
}

const reads = { max: 2, name: "read", allowsLongStatements: false } as const;
const writes = { ...reads, max: 1, name: "write" } as const;

const clock: SqlQuery<never> = CompiledQuery.raw(
  "select (extract(epoch from clock_timestamp()) * 1000)::float8 as now",
);
