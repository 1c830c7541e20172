import { readFile, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { createTestAccount, newWebsite, openTestStorage } from "../../../test/support/storage/open-test-storage.ts";
import { openWithTestAuthor } from "../../../test/support/storage/with-test-author.ts";

it("erases every hash of a removed password from a SQLite file and its log, even if another process has the file open", async () => {
  await using storage = await openTestStorage(engines.sqlite);
  const { databaseUrl } = storage.database;
  const other = await openWithTestAuthor({ databaseUrl });
  const accountId = await createTestAccount(storage);
  // So many websites that pages are split, moved and freed.
  for (let id = 1; id <= 300; id += 1) {
    const passwordHash = id === 300 ? toHash("kept", id) : toHash("removed", id);
    await storage.websites.create(accountId, newWebsite(`site-${id}.example`, { privacy: 2, passwordHash }));
  }
  await waitForFirstCheckpoints(databaseUrl);
  for (let id = 1; id < 300; id += 1) {
    if (id % 3 === 0) await storage.websites.delete(accountId, id);
    else if (id % 3 === 1) await storage.websites.update(accountId, id, () => ({ privacy: 1, passwordHash: null }));
    else await storage.websites.update(accountId, id, () => ({ passwordHash: toHash("kept", id) }));
  }
  expect(await countHashes(databaseUrl, "removed")).toBeGreaterThan(0);
  await expect.poll(() => countHashes(databaseUrl, "removed"), { interval: 500 }).toBe(0);
  expect(await countHashes(databaseUrl, "kept")).toBeGreaterThanOrEqual(100);
  await other.close();
});

/**
 * Waits until the checkpoint that each process runs after it has opened the database is over, since a test must not rely on
 * it.
 */
async function waitForFirstCheckpoints(databaseUrl: string): Promise<void> {
  await expect.poll(() => countLogBytes(databaseUrl), { interval: 500 }).toBe(0);
  await sleep(1_000);
}

async function countLogBytes(databaseUrl: string): Promise<number> {
  return (await stat(`${databaseUrl.slice("file:".length)}-wal`)).size;
}

/** Returns a hash that is as long as a real one. */
function toHash(word: string, id: number): string {
  return `$argon2id$v=19$m=7168,t=5,p=1$${word}${id}`.padEnd(96, "x");
}

async function countHashes(databaseUrl: string, word: string): Promise<number> {
  const path = databaseUrl.slice("file:".length);
  const files = await Promise.all([path, `${path}-wal`].map((file) => readFile(file, "latin1")));
  return files.join("").split(`p=1$${word}`).length - 1;
}
