import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from "kysely";
import type { StorageDialect } from "../dialect.ts";
import { CheckpointScheduler } from "./checkpoint-scheduler.ts";
import { inspectSqlite } from "./inspect-sqlite.ts";
import { replicasUnsupported } from "./replicas-unsupported.ts";
import { isSqliteBusy } from "./sqlite-error.ts";
import { openSqliteFile } from "./sqlite-file.ts";
import { SqliteReadDriver } from "./sqlite-read-driver.ts";
import { sqliteWebsiteSearch } from "./sqlite-website-search.ts";
import { SqliteWriteDriver } from "./sqlite-write-driver.ts";

/** SQLite in a file, through the driver of Node.js. */
export const sqlite: StorageDialect = {
  blocksWhileWriting: true,
  createsDatabases: true,
  syntax: {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  },
  async open({ replicas: [replica], hasOwnThread, ...location }) {
    if (replica !== undefined) throw replicasUnsupported(replica);
    const file = await openSqliteFile(location);
    const { read, probe, hasLeftovers, requireSameFile } = file;
    const reader = new SqliteReadDriver(read);
    const prober = new SqliteReadDriver(probe);
    const writer = new SqliteWriteDriver({
      open() {
        // The log may still contain what an earlier process had to erase before it was killed.
        checkpoints.schedule();
        return file.openWrite();
      },
      findRefusal: file.findWriteRefusal,
      hasOwnThread,
    });
    const checkpoints = new CheckpointScheduler(writer);
    // A thread that only writes is of no use if it cannot.
    if (hasOwnThread) await writer.init();
    return {
      read: reader,
      write: writer,
      singleWriter: undefined,
      probe: {
        read: prober,
        async refresh() {
          await requireSameFile();
          await prober.dropCachedPages();
        },
      },
      websiteSearch: sqliteWebsiteSearch,
      replication: { replicas: [], primaryPosition: () => Promise.reject(replicasUnsupported(replica)) },
      checkWritable: async () => writer.requireWritable(),
      eraseDeletedSoon: () => checkpoints.schedule(),
      hasLeftovers,
      changesInOneStatement: false,
      isDistributed: false,
      hasManyWriters: false,
      readsTakeTurns: false,
      // Whoever serves writes on a thread, which counts.
      load: () => ({ waitingWrites: 0, groups: { count: 0, writes: 0 }, pools: [] }),
      async close() {
        // Reads of this process would block the last checkpoint.
        await prober.destroy();
        await reader.destroy();
        await checkpoints.close();
        await writer.destroy();
      },
    };
  },
  inspect: inspectSqlite,
  isNotPermitted: () => false,
  isRetryable: isSqliteBusy,
  // A write transaction is the only writer from its start.
  createWithOthers: (_transaction, create) => create(),
  ifSupported: (_transaction, create) => create(),
  async lockMigrations() {},
  isLockTimeout: () => false,
  findLockHolder: async () => undefined,
  findUndistributed: async () => [],
  explainUndistributed: async () => undefined,
  distribution: () => [],
  // Its file is locked instead.
  lockUnused: async () => async () => undefined,
  async findTables(connection) {
    const found = await connection.read(sql<{ name: string }>`select name from sqlite_master where type = 'table'`);
    return new Set(found.map(({ name }) => name));
  },
  forUpdate: sql``,
  words: {
    integer: "integer",
    bytes: "blob",
    text: "text",
    tableEnd: "strict",
    clusteredTableEnd: "strict, without rowid",
    searchIndex: [
      `create virtual table domain_parts using fts5 (
  parts, tokenize = "ascii tokenchars '.:-'", content = '', contentless_delete = 1
)`,
      // The merging that FTS5 does by itself has no bound, so it is turned off: `mergeSometimes` merges instead. Only if there were 200
      // segments of a size, FTS5 would still merge them, long before it reaches its limit of 2,000.
      "insert into domain_parts (domain_parts, rank) values ('automerge', 0)",
      "insert into domain_parts (domain_parts, rank) values ('crisismerge', 200)",
    ],
  },
};
