import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { engines } from "../../../../test/support/engines.ts";
import { createTestAccount, newWebsite, openTestStorage } from "../../../../test/support/storage/open-test-storage.ts";
import { openStorage } from "../../open-storage.ts";

it("leaves no hash of a forgotten password in a SQLite file or its log, also where another process has it open", async () => {
  await using storage = await openTestStorage(engines.sqlite);
  const { databaseUrl } = storage.database;
  const other = await openStorage({ databaseUrl });
  const accountId = await createTestAccount(storage);
  // Enough that pages are split, moved and freed.
  for (let id = 1; id <= 300; id += 1) {
    const passwordHash = id === 300 ? toHash("kept", id) : toHash("forgotten", id);
    await storage.websites.create(accountId, newWebsite(`site-${id}.example`, { privacy: 2, passwordHash }));
  }
  await outlastFirstErasures(databaseUrl);
  for (let id = 1; id < 300; id += 1) {
    if (id % 3 === 0) await storage.websites.delete(accountId, id);
    else if (id % 3 === 1) await storage.websites.update(accountId, id, () => ({ privacy: 1, passwordHash: null }));
    else await storage.websites.update(accountId, id, () => ({ passwordHash: toHash("kept", id) }));
  }
  expect(await countHashes(databaseUrl, "forgotten")).toBeGreaterThan(0);
  await expect.poll(() => countHashes(databaseUrl, "forgotten"), { timeout: 60_000, interval: 500 }).toBe(0);
  expect(await countHashes(databaseUrl, "kept")).toBeGreaterThanOrEqual(100);
  await other.close();
}, 150_000);

it("leaves no hash of a forgotten password once the process that forgot it has closed the file, although another reads it all the time", async () => {
  await using other = await openTestStorage(engines.sqlite);
  const { databaseUrl } = other.database;
  const storage = await openStorage({ databaseUrl });
  const accountId = await createTestAccount(storage);
  const passwordHash = toHash("forgotten", 1);
  await storage.websites.create(accountId, newWebsite("shop.example", { privacy: 2, passwordHash }));
  await outlastFirstErasures(databaseUrl);
  await storage.websites.update(accountId, 1, () => ({ passwordHash: toHash("kept", 1) }));
  expect(await countHashes(databaseUrl, "forgotten")).toBeGreaterThan(0);
  const reader = await readWithoutPause(databaseUrl);
  await storage.close();
  await reader.terminate();
  expect(await countHashes(databaseUrl, "forgotten")).toBe(0);
  expect(await countHashes(databaseUrl, "kept")).toBe(1);
}, 90_000);

/** Reads on a thread of its own until that is ended. */
async function readWithoutPause(databaseUrl: string): Promise<Worker> {
  const source = `
    const { parentPort, workerData } = require("node:worker_threads");
    const { DatabaseSync } = require("node:sqlite");
    const query = new DatabaseSync(workerData).prepare("select * from websites");
    query.all();
    parentPort.postMessage("reading");
    for (;;) query.all();`;
  const reader = new Worker(source, { eval: true, workerData: databaseUrl.slice("file:".length) });
  await once(reader, "message");
  return reader;
}

/** Each process erases once after it has opened the database, which must not be what a test sees. */
async function outlastFirstErasures(databaseUrl: string): Promise<void> {
  await expect.poll(() => countLogBytes(databaseUrl), { timeout: 60_000, interval: 500 }).toBe(0);
  await sleep(1_000);
}

async function countLogBytes(databaseUrl: string): Promise<number> {
  return (await stat(`${databaseUrl.slice("file:".length)}-wal`)).size;
}

/** As long as the real ones. */
function toHash(word: string, id: number): string {
  return `$argon2id$v=19$m=19456,t=2,p=1$${word}${id}`.padEnd(97, "x");
}

async function countHashes(databaseUrl: string, word: string): Promise<number> {
  const path = databaseUrl.slice("file:".length);
  const files = await Promise.all([path, `${path}-wal`].map((file) => readFile(file, "latin1")));
  return files.join("").split(`p=1$${word}`).length - 1;
}
