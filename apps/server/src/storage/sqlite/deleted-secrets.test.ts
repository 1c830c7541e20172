import { readFile, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { accountId, newWebsite, openTestAccount, openWithTestAuthor } from "../../../test/support/storage.ts";

it("erases every hash of a removed password from a SQLite file and its log, even if another process has the file open", async () => {
  await using storage = await openTestAccount(engines.sqlite);
  const { databaseUrl, path } = storage.database;
  await using _ = await openWithTestAuthor({ databaseUrl });
  // So many websites that pages are split, moved and freed.
  for (let id = 1; id <= 300; id += 1) {
    const passwordHash = id === 300 ? toHash("kept", id) : toHash("removed", id);
    await storage.websites.create(accountId, newWebsite(`site-${id}.example`, { privacy: 2, passwordHash }));
  }
  // Each process runs a checkpoint after it has opened the database. A test must not rely on it.
  await expect.poll(async () => (await stat(`${path}-wal`)).size, { interval: 500 }).toBe(0);
  await sleep(1_000);
  for (let id = 1; id < 300; id += 1) {
    if (id % 3 === 0) await storage.websites.delete(accountId, id);
    else if (id % 3 === 1) await storage.websites.update(accountId, id, () => ({ privacy: 1, passwordHash: null }));
    else await storage.websites.update(accountId, id, () => ({ passwordHash: toHash("kept", id) }));
  }
  expect(await countHashes(path, "removed")).toBeGreaterThan(0);
  await expect.poll(() => countHashes(path, "removed"), { interval: 500 }).toBe(0);
  expect(await countHashes(path, "kept")).toBeGreaterThanOrEqual(100);
});

/** Returns a hash that is as long as a real one. */
function toHash(word: string, id: number): string {
  return `$argon2id$v=19$m=7168,t=5,p=1$${word}${id}`.padEnd(96, "x");
}

async function countHashes(path: string, word: string): Promise<number> {
  const files = await Promise.all([path, `${path}-wal`].map((file) => readFile(file, "latin1")));
  return files.join("").split(`p=1$${word}`).length - 1;
}
