import { expect, it } from "vitest";
import { describeOnEveryEngine, engines } from "../../../test/support/engines.ts";
import { countBlocked, holdLock, untilBlocked } from "../../../test/support/hold-lock.ts";
import { accountId, newWebsite, openTestAccount } from "../../../test/support/storage.ts";

const count = 350;

function insertKeys(hash: string): string {
  return `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
    insert into api_keys (id, account_id, name, prefix, hash, scopes, created_at)
    select n, 1, 'Key', 'swk_' || n, ${hash}, '[]', 0 from numbers`;
}

const startMs = Date.parse("2026-01-01");
const uses = new Map(Array.from({ length: count }, (_, index) => [index + 1, startMs + index]));

describeOnEveryEngine("last-used times", (engine) => {
  it("are stored for any number of keys, but none less than five minutes later than the one before, or earlier", async () => {
    await using storage = await openTestAccount(engine);
    await storage.database.execute(
      insertKeys(engine === engines.sqlite ? "cast('h' || n as blob)" : "('h' || n)::bytea"),
    );
    const fiveMinutesMs = 300_000;
    const kept = [
      [7, startMs + 6 - fiveMinutesMs + 1],
      [8, startMs + fiveMinutesMs],
    ] as const;
    await storage.apiKeys.recordUse(new Map([...kept, [9, startMs + 8 - fiveMinutesMs]]));
    await storage.apiKeys.recordUse(uses);
    const found = new Map((await storage.apiKeys.list()).map(({ id, lastUsedAt }) => [id, lastUsedAt?.getTime()]));
    expect(found).toEqual(new Map([...uses, ...kept]));
  });
});

it("a key can be revoked while the last-used times of many others are written", async () => {
  await using storage = await openTestAccount(engines.postgres, { parameters: "?statement_timeout=60000" });
  await storage.database.execute(insertKeys("('h' || n)::bytea"));
  await using lock = await holdLock(storage.database, `select id from api_keys where id = ${count} for update`);
  const recorded = storage.apiKeys.recordUse(uses).catch((error: unknown) => error);
  await untilBlocked(storage.database);
  expect(await storage.apiKeys.revoke("swk_1")).toMatchObject({ revokedAt: expect.any(Date) });
  expect(await countBlocked(storage.database)).toBe(1);
  await lock.release();
  await recorded;
});

it("a website can be created while the last-used times of many keys are written (SQLite)", async () => {
  await using storage = await openTestAccount(engines.sqlite, { writesOnThread: true });
  const recorded = storage.apiKeys.recordUse(uses).then(() => "all last-used times");
  const created = storage.websites.create(accountId, newWebsite("a.example")).then(() => "the website");
  expect(await Promise.race([recorded, created])).toBe("the website");
  await recorded;
});
