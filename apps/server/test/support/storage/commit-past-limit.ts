import { statSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { AppError } from "@siteward/service";
import { ownQuery, sql } from "../../../src/storage/engine/statement.ts";
import { SqliteWriter } from "../../../src/storage/sqlite/sqlite-writer.ts";

/**
 * Writes the given number of pages in a transaction, prints the resulting failure as JSON, and kills itself. Its parent limits
 * the size of files so that the entire commit fits into the log and nothing after it. `psow=0` makes SQLite write padding
 * after the commit. COMMIT therefore fails although its frames are complete, just as if the sync had failed.
 */
const [path = "", pages = "1"] = process.argv.slice(2);
const open = () => {
  const database = new DatabaseSync(new URL(`${pathToFileURL(path).href}?psow=0`));
  database.exec("pragma journal_mode = wal; pragma synchronous = full");
  return database;
};
// While it is open, the log stays when the writer closes its connection.
const reader = open();
const writer = new SqliteWriter({ open, hasOwnThread: false });

// The index of the log needs 32 KiB, so the limit must be higher.
await change(10, "before");
const failure = await change(Number(pages), "failed").then(
  () => null,
  (error: unknown) => describe(error),
);
const seen = reader.prepare("select count(*) as count from pages where content = 'failed'").get()?.["count"];
writeSync(1, JSON.stringify({ failure, seen, logBytes: statSync(`${path}-wal`).size }));
process.kill(process.pid, "SIGKILL");

async function change(count: number, content: string): Promise<void> {
  await writer.transact((connection) =>
    connection.execute(ownQuery(sql`update pages set content = ? where id <= ?`, [content, count])),
  );
}

function describe(error: unknown) {
  return error instanceof AppError ? error.reason : String(error);
}
