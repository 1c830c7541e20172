import { runSql } from "@siteward/testing/engines/postgres";
import { expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { startFaultyNetwork } from "../../../test/support/faulty-network.ts";
import { startRoundTripCounter } from "../../../test/support/storage/count-round-trips.ts";
import { createTestAccount, newWebsite } from "../../../test/support/storage/open-test-storage.ts";
import { openWithTestAuthor } from "../../../test/support/storage/with-test-author.ts";

const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
const unavailable = { reason: { reason: "database" } };

it("Concurrent reads share a connection, and each gets its own answer", async () => {
  await using database = await engines.postgres();
  await using counter = await startRoundTripCounter(database.databaseUrl);
  const storage = await openWithTestAuthor({ databaseUrl: counter.url });
  const accountId = await createTestAccount(storage);
  for (const id of hundred) await storage.websites.create(accountId, newWebsite(`site-${id}.example`));
  const readAll = async () => {
    const found = await Promise.all(hundred.map((id) => storage.websites.get(accountId, id)));
    expect(found.map((read) => read?.website.domain)).toEqual(hundred.map((id) => `site-${id}.example`));
  };
  await readAll();
  expect(await counter.count(readAll)).toBeLessThan(20);
  await storage.close();
});

it("Reads that share a lost connection are sent once more on another one", async () => {
  await using database = await engines.postgres();
  await using network = await startFaultyNetwork(database.databaseUrl);
  const storage = await openWithTestAuthor({ databaseUrl: network.url });
  const accountId = await createTestAccount(storage);
  await storage.websites.create(accountId, newWebsite("a.example"));
  network.cutNext("from websites", "after");
  const reads = await Promise.all(hundred.map(() => storage.websites.get(accountId, 1)));
  expect(reads.map((read) => read?.website.domain)).toEqual(hundred.map(() => "a.example"));
  await storage.close();
});

it("Reads that share a statement are unavailable if it cannot be prepared, and work again afterwards", async () => {
  await using database = await engines.postgres();
  const storage = await openWithTestAuthor({ databaseUrl: `${database.databaseUrl}?statement_timeout=200` });
  const accountId = await createTestAccount(storage);
  await storage.websites.create(accountId, newWebsite("a.example"));
  const locked = runSql(
    database.databaseUrl,
    "begin; lock table websites in access exclusive mode; select pg_sleep(1.5); commit",
  );
  await expect
    .poll(() =>
      runSql(
        database.databaseUrl,
        "select from pg_locks where mode = 'AccessExclusiveLock' and granted and relation = 'websites'::regclass",
      ).then(({ length }) => length),
    )
    .toBe(1);
  const reads = await Promise.allSettled([1, 2, 3, 4].map(() => storage.websites.get(accountId, 1)));
  for (const read of reads) expect(read).toMatchObject(unavailable);
  await locked;
  expect((await storage.websites.get(accountId, 1))?.website.domain).toBe("a.example");
  await storage.close();
});
