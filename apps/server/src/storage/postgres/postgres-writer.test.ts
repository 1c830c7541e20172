import { isRefusedFor } from "@siteward/service";
import { describe, expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { startFaultyNetwork } from "../../../test/support/faulty-network.ts";
import { holdLock, untilBlocked } from "../../../test/support/hold-lock.ts";
import { startRoundTripCounter } from "../../../test/support/storage/count-round-trips.ts";
import { createTestAccount, newWebsite, openTestStorage, openWithTestAuthor } from "../../../test/support/storage.ts";
import { startStrictPooler } from "../../../test/support/strict-pooler.ts";

const ids = Array.from({ length: 12 }, (_, index) => index + 1);

const refuseBad = `
  create function refuse() returns trigger language plpgsql as $$ begin
    if new.domain like 'bad%' then raise exception 'no' using errcode = '22000'; end if;
    return new;
  end $$;
  create trigger refuses before insert on websites for each row execute function refuse()`;

describe("Changes of an account that wait at the same time", () => {
  it.each(["", "?prepared_statements=false"])("are one transaction: '%s'", async (parameters) => {
    await using place = await openFilled(parameters);
    const { storage, accountId } = place;
    await Promise.all(ids.toReversed().map((id) => storage.websites.update(accountId, id, () => ({ email: 1 }))));
    await Promise.all(ids.map((id) => storage.websites.delete(accountId, id)));
    for (const action of ["website.updated", "website.deleted"]) {
      const transactions = await place.readTransactions(action);
      // The first change is sent at once.
      expect(transactions.length).toBeLessThan(ids.length / 2);
    }
    expect((await storage.accounts.get(accountId))?.websites.count).toBe(0);
  });

  it.each(["update", "delete"] as const)("lock no website while they wait for their account: %s", async (kind) => {
    await using place = await openFilled();
    const { accountId, storage } = place;
    await using lock = await holdLock(place, "select id from accounts for update");
    const change = storage.websites[kind](accountId, 1, () => ({ email: 1 }));
    await untilBlocked(place);
    const free = await lock.query("select id from websites where id = 1 for update skip locked");
    await lock.release();
    expect(free.rows).toHaveLength(1);
    await change;
  });

  it("take one round trip alone", async () => {
    await using place = await openFilled();
    await using counter = await startRoundTripCounter(place.databaseUrl);
    const { websites, close } = await openWithTestAuthor({ databaseUrl: counter.url });
    const create = (domain: string, key: string) =>
      websites.create(place.accountId, newWebsite(domain), { idempotency: { key, fingerprint: "a" } });
    // It opens the connection.
    await create("first.example", "first");
    expect(await counter.count(() => create("a.example", "second"))).toBe(1);
    expect(await counter.count(() => websites.update(place.accountId, ids.length + 2, () => ({ email: 1 })))).toBe(1);
    await close();
  });

  it("fail each for itself, and the others are made once", async () => {
    await using place = await openFilled();
    const { storage, accountId } = place;
    await place.execute(refuseBad);
    const names = ids.map((id) => (id % 5 === 0 ? `bad-${id}` : `good-${id}`));
    const made = await Promise.allSettled(
      names.map((name) => storage.websites.create(accountId, newWebsite(`${name}.example`))),
    );
    for (const [index, { status }] of made.entries()) {
      expect(status).toBe(names[index]?.startsWith("bad") ? "rejected" : "fulfilled");
    }
    const created = made.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value.website.id] : []));
    expect(created.toSorted((a, b) => a - b)).toEqual(created.map((_, index) => ids.length + 1 + index));
    expect((await place.readTransactions("website.created")).flat()).toHaveLength(ids.length + created.length);
  });

  it("are made through a pooler that counts what the server skipped as parsed", async () => {
    await using place = await openFilled();
    const { accountId } = place;
    await place.execute(refuseBad);
    await using pooler = await startStrictPooler(place.databaseUrl);
    await using storage = await openWithTestAuthor({ databaseUrl: `${pooler.url}?pool_max_conns=3` });
    const idempotency = { key: "key", fingerprint: "a" };
    const made = await Promise.allSettled([
      storage.websites.create(accountId, newWebsite("bad.example")),
      storage.websites.create(accountId, newWebsite("good.example"), { idempotency }),
    ]);
    expect(made).toMatchObject([{ status: "rejected" }, { status: "fulfilled" }]);
  });

  it("have an unknown outcome if their connection is cut, and no other", async () => {
    await using place = await openFilled();
    const { accountId } = place;
    await using network = await startFaultyNetwork(place.databaseUrl);
    const storage = await openWithTestAuthor({ databaseUrl: network.url });
    for (const when of ["before", "after"] as const) {
      network.cutNext(`${when}-7.example`, when);
      const create = (id: number) => storage.websites.create(accountId, newWebsite(`${when}-${id}.example`));
      const made = await Promise.allSettled(ids.map(create));
      expect(made[6]).toMatchObject({ status: "rejected" });
      for (const [index, outcome] of made.entries()) {
        if (outcome.status === "rejected") expect(isRefusedFor(outcome.reason, "outcome_unknown")).toBe(true);
        // What was acknowledged is stored, and nothing is stored twice.
        const again = await create(ids[index] ?? 0).catch(({ facts }) => facts);
        if (outcome.status === "fulfilled") expect(again).toMatchObject({ website_id: outcome.value.website.id });
      }
    }
    expect((await storage.accounts.get(accountId))?.websites.count).toBe(3 * ids.length);
    network.cutNext("delete from", "before");
    await expect(storage.websites.delete(accountId, 1)).rejects.toMatchObject({ reason: "outcome_unknown" });
    expect(await storage.websites.delete(accountId, 1)).toBe(true);
    await storage.close();
    expect(await place.findFaults()).toEqual([]);
  });
});

/** An account with a website for each of `ids`, which the process has created. */
async function openFilled(parameters = "") {
  const storage = await openTestStorage(engines.postgres, { parameters });
  const accountId = await createTestAccount(storage);
  for (const id of ids) await storage.websites.create(accountId, newWebsite(`site-${id}.example`));
  return {
    ...storage.database,
    storage,
    accountId,
    /** Returns the ids of the websites that were changed so, in order, by transaction. */
    readTransactions: async (action: string) => {
      const changed = `from audit_entries where action = '${action}' group by xmin::text`;
      const ids = "array_agg(subject_id::int order by ctid) as ids";
      return (await storage.database.execute(`select ${ids} ${changed}`)).map((row) => row["ids"]);
    },
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  };
}
