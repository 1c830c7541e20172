import { expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { startFaultyNetwork } from "../../../test/support/faulty-network.ts";
import { lockTable } from "../../../test/support/hold-lock.ts";
import { startRoundTripCounter } from "../../../test/support/storage/count-round-trips.ts";
import { createTestAccount, newWebsite, openWithTestAuthor } from "../../../test/support/storage.ts";

const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
const unavailable = { reason: { reason: "database" } };

it("Concurrent reads share a connection, and each gets its own answer", async () => {
  await using database = await engines.postgres();
  await using counter = await startRoundTripCounter(database.databaseUrl);
  await using storage = await openWithTestAuthor({ databaseUrl: counter.url });
  const accountId = await createTestAccount(storage);
  for (const id of hundred) await storage.websites.create(accountId, newWebsite(`site-${id}.example`));
  const readAll = async () => {
    const found = await Promise.all(hundred.map((id) => storage.websites.get(accountId, id)));
    expect(found.map((read) => read?.website.domain)).toEqual(hundred.map((id) => `site-${id}.example`));
  };
  await readAll();
  expect(await counter.count(readAll)).toBeLessThan(20);
});

it("Reads that share a lost connection are sent once more on another one", async () => {
  await using database = await engines.postgres();
  await using network = await startFaultyNetwork(database.databaseUrl);
  await using storage = await openWithTestAuthor({ databaseUrl: network.url });
  const accountId = await createTestAccount(storage);
  await storage.websites.create(accountId, newWebsite("a.example"));
  network.cutNext("from websites", "after");
  const reads = await Promise.all(hundred.map(() => storage.websites.get(accountId, 1)));
  expect(reads.map((read) => read?.website.domain)).toEqual(hundred.map(() => "a.example"));
});

it("Reads that share a statement are unavailable if it cannot be prepared, and work again afterwards", async () => {
  await using database = await engines.postgres();
  await using storage = await openWithTestAuthor({ databaseUrl: `${database.databaseUrl}?statement_timeout=2000` });
  const accountId = await createTestAccount(storage);
  await storage.websites.create(accountId, newWebsite("a.example"));
  const lock = await lockTable(database, "websites");
  const reads = await Promise.allSettled([1, 2, 3, 4].map(() => storage.websites.get(accountId, 1)));
  for (const read of reads) expect(read).toMatchObject(unavailable);
  await lock.release();
  expect((await storage.websites.get(accountId, 1))?.website.domain).toBe("a.example");
});
