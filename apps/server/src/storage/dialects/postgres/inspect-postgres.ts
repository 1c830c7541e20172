import { CompiledQuery } from "kysely";
import type { DatabaseLocation, DialectInspection } from "../dialect.ts";
import { medianTimeMs } from "../median-time.ts";
import { describeLocation } from "./describe-location.ts";
import { PostgresDriver } from "./postgres-driver.ts";
import { readPrimaryPosition, readReplicaPosition } from "./postgres-log-position.ts";
import { PostgresPool } from "./postgres-pool.ts";
import { type PostgresSettings, readPostgresUrl } from "./postgres-url.ts";
import { requireUsable } from "./require-usable.ts";
import { requireWritable } from "./require-writable.ts";

/** Looks at a database of PostgreSQL, with at most four connections and one more for each replica. */
export async function inspectPostgres({ databaseUrl, setting }: DatabaseLocation): Promise<DialectInspection> {
  const settings = readPostgresUrl(databaseUrl, setting);
  const [reader, writer] = [await createDriver(settings, reads), await createDriver(settings, writes)];
  const open = [reader, writer];
  return {
    name: describeLocation(settings.client),
    isFile: false,
    requireSafeEngine() {},
    async read(work) {
      await requireUsable(reader, settings, true);
      return work(reader);
    },
    requireWritable: () => requireWritable(writer, settings),
    measureWriteMs: () => measureWriteMs(writer),
    readFiles: async () => [],
    readFreeBytes: async () => undefined,
    async readClock(driver) {
      const [row] = await driver.readRows<{ now: number }>(clock);
      return row?.now;
    },
    primaryPosition: readPrimaryPosition,
    async openReplicas(locations) {
      const all = locations.map((location) => readPostgresUrl(location.databaseUrl, location.setting));
      return Promise.all(
        all.map(async (replica) => {
          const read = await createDriver(replica, { ...reads, role: "replica", maxConnections: 1 });
          open.push(read);
          return { name: describeLocation(replica.client), read, position: readReplicaPosition };
        }),
      );
    },
    close: async () => void (await Promise.all(open.map((driver) => driver.destroy()))),
  };
}

const reads = { maxConnections: 2, role: "primary", isReadOnly: true } as const;
const writes = { maxConnections: 1, role: "primary", isReadOnly: false } as const;

async function createDriver(
  settings: PostgresSettings,
  use: { readonly maxConnections: number; readonly role: "primary" | "replica"; readonly isReadOnly: boolean },
): Promise<PostgresDriver> {
  const options = { ...use, isShared: false, allowsLongStatements: false, nodeOf: (accountId: number) => accountId };
  return new PostgresDriver(await PostgresPool.create(settings, options), settings, () => undefined);
}

const clock: CompiledQuery<never> = CompiledQuery.raw(
  "select (extract(epoch from clock_timestamp()) * 1000)::float8 as now",
);

/**
 * A commit with an empty message in the log of the server waits for what a change waits for: the network, the disk, and replicas that are
 * synchronous. No table is changed. What is rolled back is never synced, and an insert would leave a dead row and lock the account.
 */
const emptyCommit = CompiledQuery.raw("select pg_logical_emit_message(true, 'siteward-doctor', '')");

async function measureWriteMs(writer: PostgresDriver): Promise<number> {
  // Opens the connection, which changes do not wait for.
  await writer.readRows(CompiledQuery.raw("select"));
  return medianTimeMs(() => writer.readRows(emptyCommit));
}
