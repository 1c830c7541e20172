import { CompiledQuery, type Dialect, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from "kysely";
import { InstallationError } from "../../interface/installation-error.ts";
import { accounts } from "../../tables/accounts.ts";
import { schemaMigrations, versions } from "../../tables/schema-migrations.ts";
import { columnNames } from "../../tables/table.ts";
import type { DialectOptions, OpenDialect, StorageDialect } from "../dialect.ts";
import { createPostgresSearchIndex, createPostgresUnicodeIndex } from "./create-postgres-search.ts";
import { describeConnectionError } from "./describe-connection-error.ts";
import { PostgresDriver } from "./postgres-driver.ts";
import { isPostgresConflict } from "./postgres-error.ts";
import { readPrimaryPosition, readReplicaPosition } from "./postgres-log-position.ts";
import { PostgresPool } from "./postgres-pool.ts";
import { createPostgresSearch } from "./postgres-search.ts";
import { type PostgresSettings, readPostgresUrl } from "./postgres-url.ts";

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

async function openPostgres(options: DialectOptions): Promise<OpenDialect> {
  const { settings, reader, writer, followers } = await createDrivers(options);
  const close = async () => {
    await Promise.all([reader, writer, ...followers].map((driver) => driver.destroy()));
  };
  const { isDistributed } = await requireUsable(reader, settings, options.mustExist).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    read: toKyselyDialect(reader),
    single: reader,
    // A client cannot drop pages from the server's memory.
    probe: { read: toKyselyDialect(reader), single: reader, refresh: async () => {} },
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

/** Reads and writes have separate pools, so that reads never wait for writers that wait for each other. */
async function createDrivers({ databaseUrl, setting, replicas, allowsLongStatements }: DialectOptions) {
  const settings = readPostgresUrl(databaseUrl, setting);
  const replicaSettings = replicas.map((replica) => readPostgresUrl(replica.databaseUrl, replica.setting));
  const readers = Math.ceil(settings.maxConnections / 2);
  const reader = await createDriver(settings, {
    maxConnections: readers,
    role: "primary",
    isReadOnly: true,
    allowsLongStatements,
    isShared: true,
  });
  const writers = settings.maxConnections - readers;
  const writer = await createDriver(settings, {
    maxConnections: writers,
    role: "primary",
    isReadOnly: false,
    allowsLongStatements,
    isShared: false,
  });
  const followers = await Promise.all(
    replicaSettings.map((replica) =>
      createDriver(replica, {
        maxConnections: replica.maxConnections,
        role: "replica",
        isReadOnly: true,
        allowsLongStatements,
        isShared: false,
      }),
    ),
  );
  return { settings, reader, writer, followers };
}

async function createDriver(
  settings: PostgresSettings,
  use: Parameters<typeof PostgresPool.create>[1],
): Promise<PostgresDriver> {
  return new PostgresDriver(await PostgresPool.create(settings, use), settings);
}

/**
 * Checks that the database accepts a connection, can store every domain, and does not belong to another program.
 *
 * @returns whether the database is distributed over several servers
 * @throws InstallationError that says why it cannot be used, without the password
 */
async function requireUsable(
  reader: PostgresDriver,
  { client }: PostgresSettings,
  mustExist: boolean,
): Promise<Pick<FoundDatabase, "isDistributed">> {
  const database = client.database ? `PostgreSQL database ${client.database}` : "default PostgreSQL database";
  const location = `${database} on ${client.host || "localhost"}:${client.port ?? 5432}`;
  const found = await findDatabase(reader).catch((error: unknown) => {
    throw new InstallationError(
      "cannot_open",
      `Cannot open the ${location}: ${describeConnectionError(error, client)}`,
      error,
    );
  });
  const isOurs = columnNames(schemaMigrations).every((name) => found.versions.includes(name));
  if (!isOurs && (found.versions.length > 0 || found.accounts.length > 0)) {
    throw new InstallationError("foreign_database", `The ${location} contains tables of another program.`);
  }
  if (found.encoding !== "UTF8") {
    const message = `The ${location} has the encoding ${found.encoding}, but Siteward needs UTF8.`;
    throw new InstallationError("wrong_encoding", message);
  }
  if (!isOurs && mustExist) throw new InstallationError("no_database", `The ${location} contains no tables of Siteward.`);
  return found;
}

/** What the database is, and contains. A table that does not exist has no columns. */
interface FoundDatabase {
  /** The columns of the two tables whose names other programs use too. */
  readonly versions: readonly string[];
  readonly accounts: readonly string[];
  /** In which the server stores text. Any other than UTF8 has no place for the Unicode form of a domain, or counts its bytes. */
  readonly encoding: string;
  /** Whether it has Citus. */
  readonly isDistributed: boolean;
}

const columnsOf = "array(select attname::text from pg_attribute where attnum > 0 and attrelid = to_regclass($1))";
const contents = CompiledQuery.raw(
  `select ${columnsOf} as versions, ${columnsOf.replace("$1", "$2")} as accounts,
    current_setting('server_encoding') as encoding,
    exists (select 1 from pg_extension where extname = 'citus') as "isDistributed"`,
  [schemaMigrations.name, accounts.name],
);

async function findDatabase(reader: PostgresDriver): Promise<FoundDatabase> {
  // The cast is safe: the query returns one row with these columns.
  const [row] = (await reader.readRows(contents)) as [FoundDatabase];
  return row;
}

function toKyselyDialect(driver: PostgresDriver): Dialect {
  return { ...postgres.syntax, createDriver: () => driver };
}
