import { type Dialect, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from "kysely";
import { versions } from "../../tables/schema-migrations.ts";
import type { WriteConnection } from "../connection.ts";
import type { DialectOptions, OpenDialect, StorageDialect } from "../dialect.ts";
import { AccountNodes } from "./account-nodes.ts";
import type { NodeOf } from "./circuit-breakers.ts";
import { createPostgresSearchIndex, createPostgresUnicodeIndex } from "./create-postgres-search.ts";
import { PoolerCheck } from "./pooler-check.ts";
import { PostgresDriver } from "./postgres-driver.ts";
import { isCreatedByOther, isNotPermitted, isPostgresConflict } from "./postgres-error.ts";
import { readPrimaryPosition, readReplicaPosition } from "./postgres-log-position.ts";
import { type PoolOptions, PostgresPool } from "./postgres-pool.ts";
import { createPostgresSearch } from "./postgres-search.ts";
import { type PostgresSettings, readPostgresUrl } from "./postgres-url.ts";
import { requireUsable } from "./require-usable.ts";

/** PostgreSQL, or a database that speaks its protocol, through `pg`. */
export const postgres: StorageDialect = {
  blocksWhileWriting: false,
  syntax: {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  },
  open: openPostgres,
  isRetryable: isPostgresConflict,
  isNotPermitted,
  createWithOthers,
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
  },
  async lockTables(transaction, tables) {
    // The server may be configured to end idle transactions.
    await transaction.write(sql`set local idle_in_transaction_session_timeout = 0`);
    await transaction.write(sql`lock table ${sql.join(tables.map((table) => sql.table(table)))} in share mode`);
  },
  async hasTable(connection, table) {
    const found = await connection.read(sql`select 1 where to_regclass(${table}) is not null`);
    return found.length > 0;
  },
  forUpdate: sql`for update`,
  definitions: {
    integer: sql`bigint`,
    bytes: sql`bytea`,
    text: sql`text collate "C"`,
    tableEnd: sql``,
    clusteredTableEnd: sql``,
    createWebsiteSearch: createPostgresSearchIndex,
    async addUnicodeForms() {},
    createUnicodeSearch: createPostgresUnicodeIndex,
  },
};

/** Once the statement has failed, the other transaction has committed, so the next attempt finds its table. */
const maxCreateAttempts = 3;

async function createWithOthers(transaction: WriteConnection, create: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await transaction.write(sql`savepoint without_table`);
    try {
      return await create();
    } catch (error) {
      if (attempt === maxCreateAttempts || !isCreatedByOther(error)) throw error;
    }
    await transaction.write(sql`rollback to savepoint without_table`);
  }
}

async function openPostgres(options: DialectOptions): Promise<OpenDialect> {
  const nodes = new AccountNodes();
  const pooler = new PoolerCheck();
  const { settings, reader, writer, followers } = await createDrivers(options, {
    nodeOf: (accountId) => nodes.nodeOf(accountId),
    onError: (error) => pooler.note(error),
  });
  const close = async () => {
    await Promise.all([reader, writer, ...followers].map((driver) => driver.destroy()));
  };
  const { isDistributed } = await requireUsable(reader, settings, options.mustExist).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  // Until it is read, each account counts as a node of its own.
  if (isDistributed) nodes.follow(reader);
  return {
    read: toKyselyDialect(reader),
    single: reader,
    // A client cannot drop pages from the server's memory.
    probe: { read: toKyselyDialect(reader), single: reader, refresh: async () => pooler.run() },
    write: toKyselyDialect(writer),
    singleWriter: writer,
    // The server erases deleted data itself, with vacuum and when it recycles its log.
    hasLeftovers: false,
    eraseDeletedSoon: () => undefined,
    changesInOneStatement: !isDistributed,
    hasManyWriters: true,
    websiteSearch: createPostgresSearch(),
    replication: {
      primaryPosition: () => readPrimaryPosition(reader),
      replicas: followers.map((follower) => ({ read: toKyselyDialect(follower), position: readReplicaPosition })),
    },
    close,
  };
}

/** What the connections of all pools share. */
interface Watch {
  readonly nodeOf: NodeOf;
  readonly onError: (error: unknown) => void;
}

/** Reads and writes have separate pools, so that reads never wait for writers that wait for each other. */
async function createDrivers({ databaseUrl, setting, replicas, allowsLongStatements }: DialectOptions, watch: Watch) {
  const settings = readPostgresUrl(databaseUrl, setting);
  const replicaSettings = replicas.map((replica) => readPostgresUrl(replica.databaseUrl, replica.setting));
  const readers = Math.ceil(settings.maxConnections / 2);
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

function toKyselyDialect(driver: PostgresDriver): Dialect {
  return { ...postgres.syntax, createDriver: () => driver };
}
