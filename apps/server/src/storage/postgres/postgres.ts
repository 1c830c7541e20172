import { ownQuery } from "../engine/connection.ts";
import type { Engine, EngineOptions, OpenEngine } from "../engine/engine.ts";
import { sql } from "../engine/statement.ts";
import type { PoolLoad } from "../interface/storage-load.ts";
import { tables } from "../tables/schema.ts";
import { AccountNodes } from "./citus-nodes.ts";
import { distributionOf, explainUndistributed, findUndistributed, prepareCitus } from "./citus-tables.ts";
import { inspectPostgres } from "./inspect-postgres.ts";
import { allowLongWork, findLockHolder, lockUnused } from "./other-users.ts";
import { isPostgresConflict, isPostgresError, isUnsupportedByServer } from "./postgres-error.ts";
import { readPrimaryPosition, readReplicaPosition } from "./postgres-log-position.ts";
import { PostgresPool } from "./postgres-pool.ts";
import { PostgresReader } from "./postgres-reader.ts";
import { type PostgresSettings, readPostgresUrl } from "./postgres-url.ts";
import { PostgresWriter } from "./postgres-writer.ts";
import { createPostgresSearch, postgresSearchIndex } from "./search.ts";
import { requireUsable, requireWritable } from "./usable.ts";

/**
 * Without statistics, PostgreSQL expects one of 200 rows in every account, and reads by the whole key. Statistics say what accounts have on
 * average: with one website in each, it read all of an account that had outgrown them to find one, by any index that begins with it.
 */
const withoutStatistics = [
  sql`alter table websites alter account_id set statistics 0, alter id set statistics 0, alter domain set statistics 0`,
  sql`alter table idempotency_keys
  alter account_id set statistics 0, alter key set statistics 0, alter created_at set statistics 0`,
  sql`alter table audit_entries alter account_id set statistics 0, alter at set statistics 0, alter subject set statistics 0,
  alter subject_id set statistics 0, alter version set statistics 0, alter position set statistics 0`,
];

/** PostgreSQL, or a database that speaks its protocol, through `pg`. */
export const postgres: Engine = {
  mark: "$",
  open: openPostgres,
  inspect: inspectPostgres,
  files: undefined,
  isRetryable: isPostgresConflict,
  async ifSupported(transaction, create) {
    await transaction.write(sql`savepoint attempt`);
    try {
      await create();
    } catch (error) {
      if (!isUnsupportedByServer(error)) throw error;
      await transaction.write(sql`rollback to savepoint attempt`);
    }
  },
  server: {
    // Not an advisory lock: some databases that speak the protocol accept one without locking anything.
    async lockMigrations(transaction) {
      await prepareCitus(transaction);
      await allowLongWork(transaction);
      await transaction.write(sql`insert into schema_migrations (version, name, applied_at) values (0, 'lock', 0)
        on conflict (version) do nothing`);
      await transaction.read(sql`select version from schema_migrations where version = 0 for update`);
      await transaction.write(sql`set local lock_timeout = ${maxLockWaitMs}`);
    },
    isLockTimeout: (error) => isPostgresError(error, "lockNotAvailable"),
    findLockHolder,
    findUndistributed,
    explainUndistributed,
    distribution: distributionOf,
    lockUnused,
  },
  async findTables(connection) {
    const found = await connection.read<{ name: string }>(
      sql`select name from unnest(:names::text[]) as name where to_regclass(name) is not null`,
      { names: Object.keys(tables) },
    );
    return new Set(found.map(({ name }) => name));
  },
  forUpdate: sql`for update`,
  words: {
    integer: sql`bigint`,
    bytes: sql`bytea`,
    text: sql`text collate "C"`,
    tableEnd: sql``,
    clusteredTableEnd: sql``,
    searchIndex: [...postgresSearchIndex, ...withoutStatistics],
  },
};

/**
 * How long a migration waits for the lock of a table. Requests that need the table wait behind it, and get a 503 after the two
 * seconds that they may wait for a connection.
 */
const maxLockWaitMs = 500;

async function openPostgres(options: EngineOptions): Promise<OpenEngine> {
  const { allowsLongStatements } = options;
  const settings = readPostgresUrl(options.databaseUrl, options.setting, options.programName);
  const replicaSettings = options.replicas.map(({ databaseUrl, setting }) => readPostgresUrl(databaseUrl, setting));
  const open = (name: PoolLoad["name"], max: number, at = settings) =>
    new PostgresPool(at, { name, max, allowsLongStatements });
  const isDistributed = await requireFit(open("write", 1), settings, options);
  const readers = Math.ceil(settings.maxConnections * (isDistributed ? readShares.citus : readShares.one));
  const write = open("write", settings.maxConnections - readers);
  const own = open("read", Math.max(1, Math.floor(readers / 2)));
  const shared = open("read", readers - own.max);
  const followers = replicaSettings.map((replica) => open("replica", replica.maxConnections, replica));
  const nodes = isDistributed ? new AccountNodes(own) : undefined;
  const reader = allowsLongStatements ? own : new PostgresReader(shared, own, nodes);
  const writer = new PostgresWriter(write, nodes);
  return {
    read: reader,
    probe: reader,
    // A client cannot drop pages from the server's memory.
    refreshProbe: async () => undefined,
    write: (work, accountId) => writer.transact(work, accountId),
    writeRows: (statement) => writer.writeRows(statement),
    // The server erases deleted data itself, with vacuum and when it recycles its log.
    eraseDeletedSoon: () => undefined,
    checkWritable: async () => void (await writer.writeRows(isDistributed ? failIfReadOnly : lockNothing)),
    isDistributed,
    hasManyWriters: true,
    websiteSearch: createPostgresSearch({ isDistributed }),
    replication: {
      primaryPosition: () => readPrimaryPosition(own),
      replicas: followers.map((follower) => ({
        hold: (work) => follower.hold(work),
        position: readReplicaPosition,
      })),
    },
    load: () => ({
      ...writer.load(),
      pools: [...sumLoads([shared, own]), ...sumLoads([write]), ...sumLoads(followers)],
    }),
    close: async () => void (await Promise.all([shared, own, write, ...followers].map((pool) => pool.close()))),
  };
}

/** Returns whether the database is distributed. @throws InstallationError if it cannot be used */
async function requireFit(first: PostgresPool, settings: PostgresSettings, options: EngineOptions): Promise<boolean> {
  try {
    const { isDistributed } = await requireUsable(first, settings, options.mustExist);
    if (options.mustBeWritable) await requireWritable(first, settings);
    return isDistributed;
  } finally {
    await first.close();
  }
}

/** What pools of the same name do together. */
function sumLoads(pools: readonly PostgresPool[]): PoolLoad[] {
  const loads = pools.map((pool) => pool.load());
  const sum = (key: "max" | "used" | "idle" | "waiting") => loads.reduce((total, load) => total + load[key], 0);
  const [first] = loads;
  return first ? [{ ...first, max: sum("max"), used: sum("used"), idle: sum("idle"), waiting: sum("waiting") }] : [];
}

/**
 * Fails where changes do: in a read-only transaction, and on a replica. It finds no row, and takes the weakest lock that does, which
 * no copy or backup of the table blocks. A setting alone would not tell, and the error replaces a connection that stays read-only.
 */
const lockNothing = ownQuery(sql`select id from websites where account_id = 0 and id = 0 for update`);

/** On Citus, that statement would need the node of an account. This one runs on the node that we are connected to. */
const failIfReadOnly = ownQuery(sql`
  do $$ begin
    if current_setting('transaction_read_only')::boolean then
      raise read_only_sql_transaction using message = 'The transactions of this node are read-only.';
    end if;
  end $$`);

/**
 * Reads never wait for writers that wait for each other. Short reads share connections, and a change has one to itself: with six of
 * ten, 16 callers made 5 to 18 % more updates than with five. On Citus, short reads and large searches have connections for each node.
 */
const readShares = { one: 0.4, citus: 0.5 } as const;
