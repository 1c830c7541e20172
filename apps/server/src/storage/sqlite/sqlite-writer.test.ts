import { once } from "node:events";
import { stat } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { expect, it, onTestFinished, vi } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { accountId, newWebsite, openTestAccount } from "../../../test/support/storage.ts";
import { toWriteConnection } from "../engine/connection.ts";
import { openDatabase } from "../engine/database.ts";
import { type Sql, sql } from "../engine/statement.ts";
import { CheckpointScheduler } from "./checkpoint-scheduler.ts";
import { openSqliteFile, openToWrite } from "./open-sqlite.ts";
import { sqlite } from "./sqlite.ts";
import { SqliteWriter } from "./sqlite-writer.ts";

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
  await using opened = await openFile();
  opened.database.exec("create table own (bytes blob); create table others (bytes blob)");
  await using other = new Worker(otherWriter, { eval: true, workerData: opened.path });
  await once(other, "message");
  const megabyte = 2 ** 20;
  for (let written = 0; written < 20 * megabyte; written += megabyte / 8)
    await opened.write(sql`insert into own (bytes) values (zeroblob(${megabyte / 8}))`);
  expect((await stat(`${opened.path}-wal`)).size).toBeLessThan(10 * megabyte);
});

it("a change that is durable is not refused because the log could not be looked at after it", async () => {
  await using opened = await openFile();
  opened.database.exec("create table own (id integer primary key); insert into own values (1), (2)");
  // SQLite refuses to look at the log while a query of the same connection is open.
  const query = opened.database.prepare("select id from own").iterate();
  query.next();
  await opened.write(sql`insert into own values (3)`);
  expect([...query]).toEqual([{ id: 2 }, { id: 3 }]);
});

it("a change that fails half-way leaves nothing, and those beside it are stored", async () => {
  await using storage = await openTestAccount(engines.sqlite, { writesOnThread: true });
  // They are one batch of the thread. By then, the account has counted the website.
  await storage.database.execute(
    "create trigger fails before insert on websites when new.domain = 'b.example' begin select raise(abort, 'no'); end",
  );
  const create = (domain: string) => storage.websites.create(accountId, newWebsite(domain));
  const outcomes = await Promise.allSettled(["a.example", "b.example", "c.example"].map(create));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect((await storage.accounts.get(accountId))?.websites.count).toBe(2);
  expect(await storage.database.findFaults()).toEqual([]);
});

it("a change that fails leaves nothing of what it left to the commit", async () => {
  await using opened = await openFile();
  opened.database.exec("create table own (id integer)");
  const add = (id: number) => () =>
    opened.writer.join(async (connection) => {
      await toWriteConnection(connection, sqlite).writeAtCommit(sql`insert into own values (:id)`, { id });
      if (id === 1) throw new Error("No.");
    });
  await opened.writer.runBatch([add(1), add(2)]);
  expect(opened.database.prepare("select id from own").all()).toEqual([{ id: 2 }]);
});

it.each([false, true])("a commit waits until the disk has it (on a thread of its own: %s)", async (hasOwnThread) => {
  await using place = await engines.sqlite({ isMigrated: true });
  const database = await openDatabase({ databaseUrl: place.databaseUrl, hasOwnThread });
  const ask = () => database.write(({ read }) => read(sql`pragma synchronous`));
  const answers = hasOwnThread ? await database.runBlockingBatch?.([ask]) : await Promise.allSettled([ask()]);
  // Each connection has its own value, and only after a power failure would another one be missed. 2 is `full`.
  expect(answers).toEqual([{ status: "fulfilled", value: [{ synchronous: 2 }] }]);
  await database.close();
});

it("a log that another process reads is emptied at a later attempt", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await using opened = await openFile();
  opened.database.exec("create table own (id integer)");
  using other = new DatabaseSync(opened.path);
  other.exec("begin; select * from own");
  await opened.write(sql`insert into own values (1)`);
  new CheckpointScheduler(opened.writer).schedule();
  const countLogBytes = async () => (await stat(`${opened.path}-wal`)).size;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await countLogBytes()).toBeGreaterThan(0);
  other.exec("commit");
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await countLogBytes()).toBe(0);
});

async function openFile() {
  await using stack = new AsyncDisposableStack();
  const place = stack.use(await engines.sqlite());
  const location = { databaseUrl: place.databaseUrl, setting: "DATABASE_URL" };
  const readers = await openSqliteFile({ ...location, mustExist: false, mustBeWritable: false });
  stack.defer(() => readers.close());
  const database = openToWrite(location);
  const writer = new SqliteWriter({ open: () => database, hasOwnThread: false });
  stack.defer(() => writer.close());
  const opened = stack.move();
  return {
    path: place.path,
    database,
    writer,
    write: (statement: Sql) => writer.transact((connection) => toWriteConnection(connection, sqlite).write(statement)),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
