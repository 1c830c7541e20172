import { startProxy } from "@siteward/testing/proxy";
import { describe, expect, it, vi } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { startFaultyNetwork } from "../../../test/support/faulty-network.ts";
import { countBlocked, holdLock, untilBlocked } from "../../../test/support/hold-lock.ts";
import { pretendCitus } from "../../../test/support/storage/pretend-citus.ts";
import {
  accountId,
  createTestAccount,
  newWebsite,
  openTestAccount,
  openTestStorage,
  openWithTestAuthor,
} from "../../../test/support/storage.ts";
import { tables } from "../tables/schema.ts";

const patience = { timeout: 30_000, interval: 20 };
const nothingKept = { code: "unavailable" };
const outcomeUnknown = { reason: "outcome_unknown" };

// Most of them wait.
describe("PostgreSQL", { concurrent: true }, () => {
  it.each([
    ["40001, a serialization failure", "trigger", ""],
    ["40001 at the commit", "constraint trigger", "deferrable initially deferred"],
  ])("retries a transaction after %s, stores one record, and if it fails repeatedly none", async (_, kind, when) => {
    await using storage = await openTestAccount(engines.postgres);
    const { execute } = storage.database;
    // A rollback does not reset a sequence.
    await execute(`
      create sequence failures;
      create function fail() returns trigger language plpgsql as $$ begin
        if nextval('failures') <= 3 then raise exception 'no' using errcode = '40001'; end if;
        return null;
      end $$;
      create ${kind} fails after insert on websites ${when} for each row execute function fail()`);
    expect((await storage.websites.create(accountId, newWebsite("a.example"))).website.id).toBe(1);
    await execute("alter sequence failures minvalue -1000000 restart with -1000000");
    await expect(storage.websites.create(accountId, newWebsite("b.example"))).rejects.toMatchObject(nothingKept);
    await execute("drop trigger fails on websites");
    expect((await storage.websites.create(accountId, newWebsite("b.example"))).website.id).toBe(2);
    expect((await storage.accounts.get(accountId))?.websites.count).toBe(2);
  });

  it("fails soon if no connection for writes is free, while reads have their own connections", async () => {
    await using storage = await openTestAccount(engines.postgres, {
      // On a busy machine, PostgreSQL opens a connection within this time, too.
      parameters: "?pool_max_conns=3&pool_timeout=5&statement_timeout=60000",
    });
    const otherId = await createTestAccount(storage);
    await using lock = await holdLock(storage.database, `select id from accounts where id = ${accountId} for update`);
    const first = storage.websites.create(accountId, newWebsite("first.example"));
    await untilBlocked(storage.database);
    const others = ["b", "c", "d"].map((name) => storage.websites.create(otherId, newWebsite(`${name}.example`)));
    for (const refused of await Promise.allSettled(others)) expect(refused).toMatchObject({ reason: nothingKept });
    // They did not wait until the statement of the first was ended.
    expect(await countBlocked(storage.database)).toBe(1);
    expect(await storage.websites.get(accountId, 1)).toBeUndefined();
    await lock.release();
    expect((await first).website.id).toBe(1);
  });

  it("ends a statement that waits too long, and stores nothing of it", async () => {
    await using storage = await openTestAccount(engines.postgres, { parameters: "?statement_timeout=2000" });
    await using lock = await holdLock(storage.database, "select id from accounts for update");
    const waiting = ["a", "b", "c"].map((name) => storage.websites.create(accountId, newWebsite(`${name}.example`)));
    for (const refused of await Promise.allSettled(waiting)) expect(refused).toMatchObject({ reason: nothingKept });
    await lock.release();
    expect((await storage.websites.create(accountId, newWebsite("a.example"))).website.id).toBe(1);
  });

  it("ends on the server what it no longer waits for, such as a commit, which has no timeout there", async () => {
    await using storage = await openTestAccount(engines.postgres, { parameters: "?statement_timeout=2000" });
    const { execute } = storage.database;
    await execute(`
      create function wait() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return null; end $$;
      create constraint trigger waits after insert on websites deferrable initially deferred
        for each row execute function wait()`);
    await expect(storage.websites.create(accountId, newWebsite("a.example"))).rejects.toMatchObject(outcomeUnknown);
    const waiting = "select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()";
    await vi.waitUntil(async () => (await execute(waiting)).length === 0, patience);
  });

  it("answers other accounts while the changes of one wait for its locked row", async () => {
    await using storage = await openTestStorage(engines.postgres, { parameters: "?pool_max_conns=4" });
    const [locked, free] = [await createTestAccount(storage), await createTestAccount(storage)];
    await using lock = await holdLock(storage.database, `select id from accounts where id = ${locked} for update`);
    const names = Array.from({ length: 40 }, (_, index) => `${index}.example`);
    const stuck = names.map((name) => storage.websites.create(locked, newWebsite(name)));
    for (const name of names) await storage.websites.create(free, newWebsite(name));
    await lock.release();
    expect((await Promise.all(stuck)).map(({ website }) => website.domain).toSorted()).toEqual(names.toSorted());
  });

  it("reports an unknown outcome if the connection is cut during the commit of a transaction", async () => {
    await using database = await engines.postgres();
    await using network = await startFaultyNetwork(database.databaseUrl);
    await using storage = await openWithTestAuthor({ databaseUrl: network.url });
    await createTestAccount(storage);
    const key = { accountId, name: "Key", prefix: "swk_1", scopes: [], expiresAt: null, rateLimit: null };
    network.cutNext("commit\0", "after");
    await expect(storage.apiKeys.create({ ...key, hash: new Uint8Array(32) })).rejects.toMatchObject(outcomeUnknown);
    expect((await storage.apiKeys.list()).map(({ id }) => id)).toEqual([1]);
  });

  it("reports an unknown outcome if Citus passes on that a worker did not wait for its standby", async () => {
    await using database = await engines.postgres({ isMigrated: true });
    await pretendCitus(database, { isCoordinator: true, distributed: Object.keys(tables) });
    // As Citus does at a commit: with its own routine, and as a message for those who debug.
    await database.execute(`
      create function warn() returns trigger language plpgsql as $$
        begin raise debug 'canceling wait' using errcode = '01000'; return null; end $$;
      create constraint trigger warns after insert on accounts deferrable initially deferred
        for each row execute function warn()`);
    const answered = async (bytes: Buffer) =>
      Buffer.from(bytes.toString("latin1").replace(ofPlpgsql, asOfCitus), "latin1");
    await using proxy = await startProxy(database.databaseUrl, () => ({ answered }));
    await using storage = await openWithTestAuthor({ databaseUrl: proxy.url });
    await expect(createTestAccount(storage)).rejects.toMatchObject(outcomeUnknown);
    // What is reported before the commit does not count.
    await database.execute(`drop trigger warns on accounts;
      create trigger warns after insert on accounts for each row execute function warn()`);
    await createTestAccount(storage);
    // Nor does it in a single statement.
    await database.execute(`create function warn_now() returns trigger language plpgsql as $$
        begin raise warning 'other collation' using errcode = '01000'; return null; end $$;
      create trigger warns after update on api_keys for each statement execute function warn_now()`);
    await storage.apiKeys.recordUse(new Map([[1, 0]]));
  });
});

it("is migrated without the timeouts of its role, also if a pooler ignores the options of the connection", async () => {
  await using database = await engines.postgres();
  await database.execute(`
    create function wait() returns event_trigger language plpgsql as $$ begin perform pg_sleep(1); end $$;
    create event trigger waits on ddl_command_end when tag in ('CREATE FUNCTION') execute function wait();
    do $$ begin execute format('alter database %I set statement_timeout = 500', current_database()); end $$`);
  const sent = async (bytes: Buffer) => Buffer.from(bytes.toString("latin1").replace(options, toBlank), "latin1");
  await using pooler = await startProxy(database.databaseUrl, () => ({ sent }));
  await (await openWithTestAuthor({ databaseUrl: pooler.url })).close();
});

const options = /(?<=\0options\0)[^\0]+/;
const toBlank = (text: string) => " ".repeat(text.length);

/** The file, the line and the routine of a message, which is as long afterwards. */
const ofPlpgsql = /Fpl_exec\.c\0L\d+\0Rexec_stmt_raise\0/g;
function asOfCitus(fields: string): string {
  const routine = "RDefaultCitusNoticeReceiver\0";
  return `${routine}F${"c".repeat(fields.length - routine.length - 2)}\0`;
}
