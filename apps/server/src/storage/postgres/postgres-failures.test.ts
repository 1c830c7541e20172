import { startProxy } from "@siteward/testing/proxy";
import pg from "pg";
import { describe, expect, it, vi } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { startFaultyNetwork } from "../../../test/support/faulty-network.ts";
import { createTestAccount, newWebsite, openTestStorage } from "../../../test/support/storage/open-test-storage.ts";
import { pretendCitus } from "../../../test/support/storage/pretend-citus.ts";
import { openWithTestAuthor } from "../../../test/support/storage/with-test-author.ts";
import { tables } from "../tables/schema.ts";

const patience = { timeout: 30_000, interval: 20 };
const nothingKept = { code: "unavailable" };
const outcomeUnknown = { reason: "outcome_unknown" };

// Most of them wait.
describe("PostgreSQL", { concurrent: true }, () => {
  it.each([
    ["40001, a serialization failure", "40001", "after insert on websites for each row"],
    ["40001 at the commit", "40001", "after insert on websites deferrable initially deferred for each row"],
  ])("retries a transaction after %s, and stores one record", async (_name, code, event) => {
    await using storage = await openTestStorage(engines.postgres);
    const accountId = await createTestAccount(storage);
    await storage.database.execute(failing({ code, times: 3, event }));
    expect((await storage.websites.create(accountId, newWebsite("a.example"))).website.id).toBe(1);
    expect((await storage.accounts.get(accountId))?.websites.count).toBe(1);
  });

  it("reports a transaction that fails repeatedly as unavailable, and stores nothing", async () => {
    await using storage = await openTestStorage(engines.postgres);
    const accountId = await createTestAccount(storage);
    const event = "after insert on websites for each row";
    await storage.database.execute(failing({ code: "40001", times: 1_000_000, event }));
    await expect(storage.websites.create(accountId, newWebsite("a.example"))).rejects.toMatchObject(nothingKept);
    await storage.database.execute("drop trigger fails on websites");
    expect((await storage.websites.create(accountId, newWebsite("a.example"))).website.id).toBe(1);
  });

  it("fails soon if no connection for writes is free, while reads have their own connections", async () => {
    await using storage = await openTestStorage(engines.postgres, {
      parameters: "?pool_max_conns=3&pool_timeout=1&statement_timeout=60000",
    });
    const [accountId, otherId] = [await createTestAccount(storage), await createTestAccount(storage)];
    await using other = await openSession(storage.database.databaseUrl);
    await other.query(`begin; select id from accounts where id = ${accountId} for update`);
    const first = storage.websites.create(accountId, newWebsite("first.example"));
    const blocked = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    const isBlocked = async () => (await storage.database.execute(blocked)).length === 1;
    await vi.waitUntil(isBlocked, patience);
    const others = ["b", "c", "d"].map((name) => storage.websites.create(otherId, newWebsite(`${name}.example`)));
    for (const refused of await Promise.allSettled(others)) expect(refused).toMatchObject({ reason: nothingKept });
    // They did not wait until the statement of the first was ended.
    expect(await isBlocked()).toBe(true);
    expect(await storage.websites.get(accountId, 1)).toBeUndefined();
    await other.query("rollback");
    expect((await first).website.id).toBe(1);
  });

  it("ends a statement that waits too long, and stores nothing of it", async () => {
    await using storage = await openTestStorage(engines.postgres, { parameters: "?statement_timeout=300" });
    const accountId = await createTestAccount(storage);
    await using other = await openSession(storage.database.databaseUrl);
    await other.query("begin; select id from accounts for update");
    const waiting = ["a", "b", "c"].map((name) => storage.websites.create(accountId, newWebsite(`${name}.example`)));
    for (const refused of await Promise.allSettled(waiting)) expect(refused).toMatchObject({ reason: nothingKept });
    await other.query("rollback");
    expect((await storage.websites.create(accountId, newWebsite("a.example"))).website.id).toBe(1);
  });

  it("ends on the server what it no longer waits for, such as a commit, which has no timeout there", async () => {
    await using storage = await openTestStorage(engines.postgres, { parameters: "?statement_timeout=100" });
    const accountId = await createTestAccount(storage);
    await using other = await openSession(storage.database.databaseUrl);
    await other.query(`
      create function wait() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return null; end $$;
      create constraint trigger waits after insert on websites deferrable initially deferred
        for each row execute function wait()`);
    await expect(storage.websites.create(accountId, newWebsite("a.example"))).rejects.toMatchObject(outcomeUnknown);
    const waiting = "select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()";
    await vi.waitUntil(async () => (await other.query(waiting)).rowCount === 0, patience);
  });

  it("answers other accounts while the changes of one wait for its locked row", async () => {
    await using storage = await openTestStorage(engines.postgres, { parameters: "?pool_max_conns=4" });
    const [locked, free] = [await createTestAccount(storage), await createTestAccount(storage)];
    await using other = await openSession(storage.database.databaseUrl);
    await other.query(`begin; select id from accounts where id = ${locked} for update`);
    const names = Array.from({ length: 40 }, (_, index) => `${index}.example`);
    const stuck = names.map((name) => storage.websites.create(locked, newWebsite(name)));
    for (const name of names) await storage.websites.create(free, newWebsite(name));
    await other.query("rollback");
    expect((await Promise.all(stuck)).map(({ website }) => website.domain).toSorted()).toEqual(names.toSorted());
  });

  it("reports an unknown outcome if the connection is cut during the commit of a transaction", async () => {
    await using database = await engines.postgres();
    await using network = await startFaultyNetwork(database.databaseUrl);
    const storage = await openWithTestAuthor({ databaseUrl: network.url });
    const accountId = await createTestAccount(storage);
    const prefix = "swk_00000001";
    const key = {
      accountId,
      name: "Key",
      prefix,
      hash: new Uint8Array(32),
      scopes: [],
      expiresAt: null,
      rateLimit: null,
    };
    network.cutNext("commit\0", "after");
    await expect(storage.apiKeys.create(key)).rejects.toMatchObject(outcomeUnknown);
    expect((await storage.apiKeys.list()).map(({ id }) => id)).toEqual([1]);
    await storage.close();
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
    const storage = await openWithTestAuthor({ databaseUrl: proxy.url });
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
    await storage.close();
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

/**
 * Returns SQL for a trigger that fails the given number of times. A sequence counts them, because a rollback does not reset
 * it.
 */
function failing({ code, times, event }: { code: string; times: number; event: string }): string {
  const kind = event.includes("deferrable") ? "constraint trigger" : "trigger";
  return `
    create sequence failures;
    create function fail() returns trigger language plpgsql as $$
      begin
        if nextval('failures') <= ${times} then raise exception 'no' using errcode = '${code}'; end if;
        return null;
      end $$;
    create ${kind} fails ${event} execute function fail()`;
}

/** Opens a connection like that of another program. */
async function openSession(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return { query: (sql: string) => client.query(sql), [Symbol.asyncDispose]: () => client.end() };
}
