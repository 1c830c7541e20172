import { CompiledQuery, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from "kysely";
import type { PoolLoad } from "../../interface/storage-load.ts";
import { tables } from "../../tables/schema.ts";
import { versions } from "../../tables/schema-migrations.ts";
import type { WriteConnection } from "../connection.ts";
import type { DialectOptions, OpenDialect, StorageDialect } from "../dialect.ts";
import { AccountNodes } from "./account-nodes.ts";
import type { NodeOf } from "./circuit-breakers.ts";
import { distributionOf } from "./distribute-tables.ts";
import { explainUndistributed } from "./explain-undistributed.ts";
import { findLockHolder } from "./find-lock-holder.ts";
import { findUndistributed } from "./find-undistributed.ts";
import { inspectPostgres } from "./inspect-postgres.ts";
import { lockUnused } from "./lock-unused.ts";
import { type FailedQuery, PoolerCheck } from "./pooler-check.ts";
import { PostgresDriver } from "./postgres-driver.ts";
import {
  isCreatedByOther,
  isNotPermitted,
  isPostgresConflict,
  isPostgresLockTimeout,
  isUnsupportedByServer,
} from "./postgres-error.ts";
import { readPrimaryPosition, readReplicaPosition } from "./postgres-log-position.ts";
import { type PoolOptions, PostgresPool } from "./postgres-pool.ts";
import { createPostgresSearch } from "./postgres-search.ts";
import { type PostgresSettings, readPostgresUrl } from "./postgres-url.ts";
import { prepareCitus } from "./prepare-citus.ts";
import { requireUsable } from "./require-usable.ts";
import { requireWritable } from "./require-writable.ts";
import { postgresSearchIndex } from "./search-index.ts";

/** PostgreSQL, or a database that speaks its protocol, through `pg`. */
export const postgres: StorageDialect = {
  blocksWhileWriting: false,
  createsDatabases: false,
  syntax: {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  },
  open: openPostgres,
  inspect: inspectPostgres,
  isRetryable: isPostgresConflict,
  isNotPermitted,
  createWithOthers,
  ifSupported: async (transaction, create) => void (await succeeds(transaction, create, isUnsupportedByServer)),
  // Not an advisory lock: some databases that speak the protocol accept one without locking anything.
  async lockMigrations(transaction) {
    const { build } = transaction;
    const lock = build
      .insertInto("schema_migrations")
      .values({ version: versions.migrationLock, name: "lock", applied_at: 0 });
    await transaction.write(lock.onConflict((conflict) => conflict.column("version").doNothing()));
    const locked = build
      .selectFrom("schema_migrations")
      .select("version")
      .where("version", "=", versions.migrationLock);
    await transaction.read(locked.forUpdate());
    await prepareCitus(transaction);
    await transaction.write(sql`set local lock_timeout = ${sql.lit(maxLockWaitMs)}`);
  },
  isLockTimeout: isPostgresLockTimeout,
  findLockHolder,
  findUndistributed,
  explainUndistributed,
  distribution: distributionOf,
  lockUnused,
  async findTables(connection) {
    const names = sql.join(Object.keys(tables));
    const found = await connection.read(
      sql<{ name: string }>`select name from unnest(array[${names}]) as name where to_regclass(name) is not null`,
    );
    return new Set(found.map(({ name }) => name));
  },
  forUpdate: sql`for update`,
  words: {
    integer: "bigint",
    bytes: "bytea",
    text: 'text collate "C"',
    tableEnd: "",
    clusteredTableEnd: "",
    searchIndex: postgresSearchIndex,
  },
};

/**
 * How long a migration waits for the lock of a table. Requests that need the table wait behind it, and get a 503 after the two
 * seconds that they may wait for a connection.
 */
const maxLockWaitMs = 500;

/** Once the statement has failed, the other transaction has committed, so the next attempt finds its table. */
const maxCreateAttempts = 3;

async function createWithOthers(transaction: WriteConnection, create: () => Promise<void>): Promise<void> {
  for (let attempt = 1; attempt < maxCreateAttempts; attempt += 1) {
    if (await succeeds(transaction, create, isCreatedByOther)) return;
  }
  await create();
}

/** Runs statements. Undoes them and returns false if one of them fails with an expected error. */
async function succeeds(
  transaction: WriteConnection,
  run: () => Promise<void>,
  isExpected: (error: unknown) => boolean,
): Promise<boolean> {
  await transaction.write(sql`savepoint attempt`);
  try {
    await run();
    return true;
  } catch (error) {
    if (!isExpected(error)) throw error;
  }
  await transaction.write(sql`rollback to savepoint attempt`);
  return false;
}

async function openPostgres(options: DialectOptions): Promise<OpenDialect> {
  const nodes = new AccountNodes();
  const pooler = new PoolerCheck();
  const { settings, reader, writer, followers } = await createDrivers(options, {
    nodeOf: (accountId) => nodes.nodeOf(accountId),
    onError: (error, query) => pooler.note(error, query),
  });
  const close = async () => {
    await Promise.all([reader, writer, ...followers].map((driver) => driver.destroy()));
  };
  const check = async () => {
    const found = await requireUsable(reader, settings, options.mustExist);
    if (options.mustBeWritable) await requireWritable(writer, settings);
    return found;
  };
  const { isDistributed } = await check().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  // Until it is read, each account counts as a node of its own.
  if (isDistributed) nodes.follow(reader);
  return {
    read: reader,
    // A client cannot drop pages from the server's memory.
    probe: { read: reader, refresh: async () => pooler.run() },
    write: (work) => writer.transact(work),
    runBatch: undefined,
    singleWriter: writer,
    // The server erases deleted data itself, with vacuum and when it recycles its log.
    hasLeftovers: false,
    eraseDeletedSoon: () => undefined,
    checkWritable: async () => void (await writer.writeRows(isDistributed ? failIfReadOnly : lockNothing)),
    changesInOneStatement: !isDistributed,
    isDistributed,
    hasManyWriters: true,
    readsTakeTurns: true,
    websiteSearch: createPostgresSearch({ isDistributed }),
    replication: {
      primaryPosition: () => readPrimaryPosition(reader),
      replicas: followers.map((follower) => ({ read: follower, position: readReplicaPosition })),
    },
    load: () => ({
      ...writer.writeLoad(),
      pools: [
        reader.load("read"),
        writer.load("write"),
        ...sumLoads(followers.map((driver) => driver.load("replica"))),
      ],
    }),
    close,
  };
}

/** The pools of all replicas as one. */
function sumLoads(loads: readonly PoolLoad[]): PoolLoad[] {
  const [first, ...others] = loads;
  if (first === undefined) return [];
  const add = (sum: PoolLoad, { max, used, idle, waiting }: PoolLoad) => ({
    ...sum,
    max: sum.max + max,
    used: sum.used + used,
    idle: sum.idle + idle,
    waiting: sum.waiting + waiting,
  });
  return [others.reduce(add, first)];
}

/**
 * Fails where changes do: in a read-only transaction, and on a replica. It finds no row, and takes the weakest lock that does, which
 * no copy or backup of the table blocks. A setting alone would not tell, and the error replaces a connection that stays read-only.
 */
const lockNothing = CompiledQuery.raw("select id from websites where account_id = 0 and id = 0 for update");

/** On Citus, that statement would need the node of an account. This one runs on the node that we are connected to. */
const failIfReadOnly = CompiledQuery.raw(`
  do $$ begin
    if current_setting('transaction_read_only')::boolean then
      raise read_only_sql_transaction using message = 'The transactions of this node are read-only.';
    end if;
  end $$`);

/** What the connections of all pools share. */
interface Watch {
  readonly nodeOf: NodeOf;
  readonly onError: (error: unknown, query: FailedQuery) => void;
}

/** Most reads share connections, and a change has one to itself: with six of ten, 16 callers made 5 to 18 % more updates than with five. */
const readShare = 0.4;

/** Reads and writes have separate pools, so that reads never wait for writers that wait for each other. */
async function createDrivers(
  { databaseUrl, setting, programName, replicas, allowsLongStatements }: DialectOptions,
  watch: Watch,
) {
  const settings = readPostgresUrl(databaseUrl, setting, programName);
  const replicaSettings = replicas.map((replica) => readPostgresUrl(replica.databaseUrl, replica.setting));
  const readers = Math.ceil(settings.maxConnections * readShare);
  const reader = await createDriver(
    settings,
    {
      maxConnections: readers,
      role: "primary",
      isReadOnly: true,
      allowsLongStatements,
      isShared: true,
    },
    watch,
  );
  const writers = settings.maxConnections - readers;
  const writer = await createDriver(
    settings,
    {
      maxConnections: writers,
      role: "primary",
      isReadOnly: false,
      allowsLongStatements,
      isShared: false,
    },
    watch,
  );
  const followers = await Promise.all(
    replicaSettings.map((replica) =>
      createDriver(
        replica,
        {
          maxConnections: replica.maxConnections,
          role: "replica",
          isReadOnly: true,
          allowsLongStatements,
          isShared: false,
        },
        watch,
      ),
    ),
  );
  return { settings, reader, writer, followers };
}

async function createDriver(
  settings: PostgresSettings,
  use: Omit<PoolOptions, "nodeOf">,
  { nodeOf, onError }: Watch,
): Promise<PostgresDriver> {
  return new PostgresDriver(await PostgresPool.create(settings, { ...use, nodeOf }), settings, onError);
}
