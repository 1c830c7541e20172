import { chooseDialect } from "./choose-dialect.ts";
import { createReader, type QueryTools, withReader } from "./connections.ts";
import type { Database } from "./database.ts";
import { createQueryBuilder } from "./query-builder.ts";
import { ReplicaRouter } from "./replica-router.ts";
import { createWrite, createWriteOne } from "./write-transaction.ts";

export interface DatabaseOptions {
  /** Such as `file:./data/siteward.db` or `postgres://user@host/database`. */
  readonly databaseUrl: string;
  /** The name of the URL in messages, such as the setting that contains it. */
  readonly setting?: string;
  /** The URLs of read replicas. None by default. */
  readonly replicaUrls?: readonly string[];
  /** The name of the replicas' URLs in messages. */
  readonly replicaSetting?: string;
  /** Called once each time that a replica fails and is not read for a while, with the reason. */
  readonly onReplicaFault?: (error: unknown) => void;
  /** See `DialectOptions`. */
  readonly programName?: string;
  /** Whether statements have no timeout. False by default: a statement may take as long as a request may wait. */
  readonly allowsLongStatements?: boolean;
  /** Whether a database that does not exist or has no tables of Siteward is refused. False by default: it is created. */
  readonly mustExist?: boolean;
  /** Whether a database that accepts no changes is refused. False by default: then each change reports it. */
  readonly mustBeWritable?: boolean;
  /** Whether nothing else runs on this thread, so that an embedded engine may block it for a while. False by default. */
  readonly hasOwnThread?: boolean;
  /** The clock, in milliseconds since 1970. The system clock by default. */
  readonly now?: () => number;
  /** Called for each query. */
  readonly log?: QueryTools["log"];
}

/** The name of the database URL in messages, unless the caller names its setting. */
export const defaultSetting = "The URL of the database";

/**
 * Opens the database without migrating it. Unless it must exist, creates an empty one if the engine can do that.
 *
 * @throws InstallationError that says what is wrong with the URL or the database
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const {
    databaseUrl,
    setting = defaultSetting,
    programName,
    allowsLongStatements = false,
    hasOwnThread = false,
    mustExist = false,
    mustBeWritable = false,
    now = Date.now,
    log,
  } = options;
  const dialect = await chooseDialect({ databaseUrl, setting });
  const replicas = replicaLocations(options);
  const required = { mustExist, mustBeWritable };
  const location = { databaseUrl, setting, replicas };
  const open = await dialect.open({ ...location, programName, allowsLongStatements, ...required, hasOwnThread });
  const tools = { build: createQueryBuilder(dialect), log };
  const target = { ...tools, transact: open.write, dialect };
  const primary = createReader(open.read, tools);
  const router = new ReplicaRouter({
    primary,
    primaryPosition: open.replication.primaryPosition,
    replicas: open.replication.replicas.map(({ read, position }) => ({
      connect: (work) => withReader(read, tools, work),
      position,
    })),
    onFault: options.onReplicaFault ?? (() => undefined),
  });
  return {
    build: tools.build,
    primary,
    readUpToDate: (work) => router.run(work),
    write: createWrite(target),
    runBatch: open.runBatch,
    writeOne: createWriteOne(target, open.singleWriter),
    eraseDeletedSoon: () => open.eraseDeletedSoon(),
    checkWritable: () => open.checkWritable(),
    hasLeftovers: open.hasLeftovers,
    hasManyWriters: open.hasManyWriters,
    readsTakeTurns: open.readsTakeTurns,
    changesInOneStatement: open.changesInOneStatement,
    isDistributed: open.isDistributed,
    probe: { ...createReader(open.probe.read, tools), refresh: () => open.probe.refresh() },
    dialect,
    websiteSearch: open.websiteSearch,
    now,
    load: () => ({ ...open.load(), replication: router.load() }),
    close: () => open.close(),
  };
}

function replicaLocations({ replicaUrls = [], replicaSetting = "The URL of a replica" }: DatabaseOptions) {
  return replicaUrls.map((databaseUrl) => ({ databaseUrl, setting: replicaSetting }));
}
