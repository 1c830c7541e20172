import { ownQuery } from "../engine/connection.ts";
import type { Engine } from "../engine/engine.ts";
import { sql } from "../engine/statement.ts";
import { CheckpointScheduler } from "./checkpoint-scheduler.ts";
import { inspectSqlite } from "./inspect-sqlite.ts";
import { movableSqliteFiles } from "./movable-sqlite-files.ts";
import { openSqliteFile, openToWrite, type Readers, replicasUnsupported } from "./open-sqlite.ts";
import { isSqliteBusy } from "./sqlite-error.ts";
import { sqliteWebsiteSearch } from "./sqlite-website-search.ts";
import { SqliteWriter } from "./sqlite-writer.ts";

/** SQLite in a file, through the driver of Node.js. */
export const sqlite: Engine = {
  mark: "?",
  async open({ replicas: [replica], hasOwnThread = false, ...location }) {
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
    const readers = hasOwnThread ? readThroughWriter(writer) : await openSqliteFile(location);
    const write = hasOwnThread ? writer.join : writer.transact;
    return {
      ...readers,
      write,
      runBlockingBatch: writer.runBatch,
      writeRows: (statement) => write(({ execute }) => execute(statement)),
      websiteSearch: sqliteWebsiteSearch,
      replication: { replicas: [], primaryPosition: () => Promise.reject(new Error("A file has no replicas.")) },
      async checkWritable() {
        // Only what writes a page tells. The error undoes it.
        const undo = new Error("A check changes nothing.");
        await write(async ({ execute }) => {
          await execute(ownQuery(sql`pragma user_version = 0`));
          throw undo;
        }).catch((error: unknown) => {
          if (error !== undo) throw error;
        });
      },
      eraseDeletedSoon: () => checkpoints.schedule(),
      isDistributed: false,
      hasManyWriters: false,
      // Whoever serves writes on a thread, which counts.
      load: () => ({ waitingWrites: 0, pools: [] }),
      async close() {
        // Reads of this process would block the last checkpoint.
        await readers.close();
        await checkpoints.close();
        await writer.close();
      },
    };
  },
  inspect: inspectSqlite,
  files: movableSqliteFiles,
  server: undefined,
  isRetryable: isSqliteBusy,
  ifSupported: (_transaction, create) => create(),
  async findTables(connection) {
    const found = await connection.read<{ name: string }>(sql`select name from sqlite_master where type = 'table'`);
    return new Set(found.map(({ name }) => name));
  },
  forUpdate: sql``,
  words: {
    integer: sql`integer`,
    bytes: sql`blob`,
    text: sql`text`,
    tableEnd: sql`strict`,
    clusteredTableEnd: sql`strict, without rowid`,
    searchIndex: [
      sql`create virtual table domain_parts using fts5 (
  parts, tokenize = "ascii tokenchars '.:-'", content = '', contentless_delete = 1
)`,
      // The merging that FTS5 does by itself has no bound, so it is turned off: `mergeSometimes` merges instead. Only
      // if there were 200 segments of a size, FTS5 would still merge them, long before it reaches its limit of 2,000.
      sql`insert into domain_parts (domain_parts, rank) values ('automerge', 0)`,
      sql`insert into domain_parts (domain_parts, rank) values ('crisismerge', 200)`,
    ],
  },
};

/**
 * A thread that only writes reads what the changes before in a batch have left, which only the connection that writes
 * sees. A batch is a snapshot by itself.
 */
function readThroughWriter({ execute }: SqliteWriter): Readers {
  const read: Readers["read"] = { execute, snapshot: (work) => work({ execute }) };
  return { read, probe: read, refreshProbe: async () => undefined, close: async () => undefined };
}
