import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from "kysely";
import type { OpenDialect, StorageDialect, Transact } from "../dialect.ts";
import { CheckpointScheduler } from "./checkpoint-scheduler.ts";
import { inspectSqlite } from "./inspect-sqlite.ts";
import { readInBatches } from "./read-in-batches.ts";
import { replicasUnsupported } from "./replicas-unsupported.ts";
import { isSqliteBusy } from "./sqlite-error.ts";
import { openSqliteFile, openToWrite } from "./sqlite-file.ts";
import { SqliteReader } from "./sqlite-reader.ts";
import { sqliteWebsiteSearch } from "./sqlite-website-search.ts";
import { SqliteWriter } from "./sqlite-writer.ts";

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
    const writer = new SqliteWriter({
      open() {
        // The log may still contain what an earlier process had to erase before it was killed.
        checkpoints.schedule();
        return openToWrite(location);
      },
      hasOwnThread,
    });
    const checkpoints = new CheckpointScheduler(writer);
    const { hasLeftovers, read, probe, close } = hasOwnThread ? readThroughWriter(writer) : await openReaders(location);
    const write = hasOwnThread ? writer.join : writer.transact;
    return {
      read,
      write,
      runBatch: (changes) => writer.runBatch(changes),
      singleWriter: undefined,
      probe,
      websiteSearch: sqliteWebsiteSearch,
      replication: { replicas: [], primaryPosition: () => Promise.reject(replicasUnsupported(replica)) },
      checkWritable: () => checkWritable(writer, write),
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
        await close();
        await checkpoints.close();
        await writer.close();
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

/** The connections that read: one for requests, and one for health checks. */
interface Readers extends Pick<OpenDialect, "hasLeftovers" | "read" | "probe" | "close"> {}

async function openReaders(location: Parameters<typeof openSqliteFile>[0]): Promise<Readers> {
  const file = await openSqliteFile(location);
  const [read, prober] = [new SqliteReader(file.read, file.snapshot), new SqliteReader(file.probe)];
  return {
    hasLeftovers: file.hasLeftovers,
    read,
    probe: {
      read: prober,
      async refresh() {
        await file.requireSameFile();
        prober.dropCachedPages();
      },
    },
    async close() {
      await prober.close();
      await read.close();
    },
  };
}

/** A thread that only writes reads through the same connection. */
function readThroughWriter(writer: SqliteWriter): Readers {
  const read = readInBatches(writer);
  return { hasLeftovers: false, read, probe: { read, refresh: async () => undefined }, close: async () => undefined };
}

/** @throws AppError `database_read_only` if a change would be refused. It changes nothing. */
async function checkWritable(writer: SqliteWriter, write: Transact): Promise<void> {
  await write(async () => {
    writer.writePage();
    throw new Undo();
  }).catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
}

/** Undoes what a check has written. */
class Undo extends Error {}
