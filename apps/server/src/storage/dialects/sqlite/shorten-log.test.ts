import { stat } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { makeSqliteDatabase } from "../../../../test/support/sqlite-database.ts";
import { createQueryBuilder } from "../../database/query-builder.ts";
import { createWrite } from "../../database/write-transaction.ts";
import { sqlite } from "./sqlite.ts";
import { openSqliteFile } from "./sqlite-file.ts";
import { SqliteWriteDriver } from "./sqlite-write-driver.ts";

/** Writes to a file whenever nobody else does, as another process may. It leaves the log as it is. */
const otherWriter = `
  const { DatabaseSync } = require("node:sqlite");
  const { parentPort, workerData } = require("node:worker_threads");
  const database = new DatabaseSync(workerData, { timeout: 0 });
  database.exec("pragma synchronous = off; pragma wal_autocheckpoint = 0");
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  parentPort.postMessage("writes");
  for (;;) {
    Atomics.wait(sleeper, 0, 0, 0.1);
    try {
      database.exec("begin immediate");
    } catch {
      continue;
    }
    database.exec("insert into others (bytes) values (zeroblob(1)); commit");
  }
`;

it("the write-ahead log is begun anew after 4 MB, also while another process writes without a pause", async () => {
  await using place = await makeSqliteDatabase();
  const { read, probe, openWrite } = await openSqliteFile({ databaseUrl: place.databaseUrl, setting: "DATABASE_URL" });
  const driver = new SqliteWriteDriver({ open: openWrite, hasOwnThread: false });
  const write = createWrite({ driver, dialect: sqlite, build: createQueryBuilder(sqlite) });
  for (const table of ["own", "others"])
    await write((transaction) => transaction.write(sql.raw(`create table ${table} (bytes blob)`)));
  const path = place.databaseUrl.slice("file:".length);
  const other = new Worker(otherWriter, { eval: true, workerData: path });
  await new Promise((resolve) => other.once("message", resolve));
  const megabyte = 2 ** 20;
  for (let written = 0; written < 20 * megabyte; written += megabyte / 8)
    await write((transaction) => transaction.write(sql`insert into own (bytes) values (zeroblob(${megabyte / 8}))`));
  expect((await stat(`${path}-wal`)).size).toBeLessThan(10 * megabyte);
  await other.terminate();
  await driver.destroy();
  read.close();
  probe.close();
});
