import { CompiledQuery } from "kysely";
import type { SqliteConnection } from "./sqlite-connection.ts";

/** SQLite has the same bound by default. These are 4 MB. */
const maxPages = 1_000;

/**
 * Moves the pages of the write-ahead log into the database if they are too many, so that the next change begins the log anew.
 * Call this right after a commit, before another process writes: then none can until all pages are moved. It never fails, because
 * the commit would seem to have failed, and a caller would try it again.
 *
 * SQLite could do it by itself, but others may write in the meantime, and their pages then keep the log from being begun anew. While
 * two processes wrote without a pause, the log grew for as long as they did, and each commit synced three times.
 */
export function shortenLog(connection: SqliteConnection): void {
  try {
    const [row] = connection.execute(countPages);
    if ((row?.log ?? 0) >= maxPages) connection.execute(moveToDatabase);
  } catch {
    // The changes are durable in the log. The next commit tries again.
  }
}

// The cast is safe: this pragma returns one row. It takes 2 µs.
const countPages = CompiledQuery.raw("pragma wal_checkpoint(noop)") as CompiledQuery<{ readonly log: number }>;
/** If another process has the lock, it moves what it can. It waits neither for writers nor for readers. */
const moveToDatabase = CompiledQuery.raw("pragma wal_checkpoint(full)");
