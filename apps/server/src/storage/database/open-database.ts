import { type Dialect, Kysely, type Logger } from "kysely";
import type { Schema } from "../tables/schema.ts";
import { chooseDialect } from "./choose-dialect.ts";
import type { Database } from "./database.ts";
import { readThrough } from "./read-through.ts";
import { ReplicaReading } from "./replica-reading.ts";

export interface DatabaseOptions {
  /** Such as `file:./data/siteward.db` or `postgres://user@host/database`. */
  readonly databaseUrl: string;
  /** What messages call the URL, such as the name of the setting that contains it. */
  readonly setting?: string;
  /** Databases that follow this one and may be read. None by default. */
  readonly replicaUrls?: readonly string[];
  /** What messages call the URLs of the replicas. */
  readonly replicaSetting?: string;
  /** Hears why a replica was not read, once each time it fails. */
  readonly onReplicaFault?: (error: unknown) => void;
  /** Whether a statement may take as long as it needs, and not only as long as a request may wait. */
  readonly isPatient?: boolean;
  /** The clock, in milliseconds since 1970. The system's by default. */
  readonly now?: () => number;
  /** Hears of each query. */
  readonly log?: Logger;
}

/** What messages call the URL of the database unless the caller names its setting. */
export const defaultSetting = "The URL of the database";

/**
 * Opens the database as it is, and makes an empty one where there is none and the engine can.
 *
 * @throws Error that says what is wrong with the URL or the database
 */
export async function openDatabase({
  databaseUrl,
  setting = defaultSetting,
  replicaUrls = [],
  replicaSetting = "The URL of the replica",
  onReplicaFault = () => undefined,
  isPatient = false,
  now = Date.now,
  log,
}: DatabaseOptions): Promise<Database> {
  const dialect = chooseDialect({ databaseUrl, setting });
  const replicas = replicaUrls.map((replicaUrl) => ({ databaseUrl: replicaUrl, setting: replicaSetting }));
  const open = await dialect.open({ databaseUrl, setting, replicas, isPatient });
  const connect = (connection: Dialect) =>
    new Kysely<Schema>({ dialect: connection, ...(log === undefined ? {} : { log }) });
  const read = connect(open.read);
  const probeRead = connect(open.probe.read);
  // Only Kysely's runtime tells of queries.
  const primary = log === undefined ? { read, direct: open.direct } : readThrough(read);
  const reading = new ReplicaReading({
    primary,
    primaryPosition: open.replication.primaryPosition,
    replicas: open.replication.replicas.map((replica) => ({ ...replica, read: connect(replica.read) })),
    onFault: onReplicaFault,
  });
  return {
    ...primary,
    write: connect(open.write),
    eraseSoon: () => open.eraseSoon(),
    probe: { read: probeRead, direct: open.probe.direct, refresh: () => open.probe.refresh() },
    reading: (work) => reading.run(work),
    dialect,
    websiteSearch: open.websiteSearch,
    now,
    // Kysely would close no driver that it has not taken up.
    close: () => open.close(),
  };
}
