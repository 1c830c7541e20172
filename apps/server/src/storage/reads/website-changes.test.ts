import type { ChangePosition } from "@siteward/service";
import { expect, it } from "vitest";
import { describeOnEveryEngine } from "../../../test/support/engines.ts";
import {
  createTestAccount,
  newWebsite,
  openTestStorage,
  openWithTestAuthor,
  type TestWebsiteStore,
} from "../../../test/support/storage.ts";
import { callHere } from "../changes/call-change.ts";
import { openDatabase } from "../engine/database.ts";
import { copyDatabase } from "../moving/copy-database.ts";
import { createWebsiteStore } from "../stores/website-store.ts";

const newest = { sortBy: "id", sort: "desc", perPage: 1, start: { page: 1 } } as const;
const dayMs = 86_400_000;

describeOnEveryEngine("the changes of an account", (engine) => {
  it("are expired where retention has deleted the first ones after the cursor, or some between, but not at the newest", async () => {
    let now = dayMs;
    await using storage = await openTestStorage(engine, { now: () => now });
    const { websites: store, database: place } = storage;
    const accountId = await createTestAccount(storage);
    const positions: ChangePosition[] = [await positionOf(store, accountId)];
    for (const time of [1, 2, 3, 9, 5]) {
      now = time * dayMs;
      await store.create(accountId, newWebsite(`${time}.example`));
      positions.push(await positionOf(store, accountId));
    }
    // A server whose clock was behind has written the first of these last.
    await place.execute(
      `update audit_entries set at = ${dayMs} where position = 4; delete from audit_entries where at < ${2 * dayMs}`,
    );
    const answers = await Promise.all(positions.map((since) => store.changes(accountId, { since, perPage: 10 })));
    expect(answers.map((answer) => (answer === "expired" ? answer : answer.websites.length))).toEqual([
      ...["expired", "expired", "expired", "expired", "expired"],
      0,
    ]);
    // A page before the hole is complete.
    expect(await store.changes(accountId, { since: positions[2] ?? none, perPage: 1 })).toMatchObject({
      websites: [{ website: { domain: "3.example" } }],
      end: positions[3],
      newest: { number: 5 },
    });
    await place.execute("delete from audit_entries");
    expect(await store.changes(accountId, { since: positions[5] ?? none, perPage: 10 })).toMatchObject({
      newest: positions[5],
    });
  });

  it("continue in a copy, but not after changes that only the original has, even if the copy has as many of its own", async () => {
    let now = dayMs;
    await using before = await openTestStorage(engine, { now: () => now });
    await using destination = await engine();
    const accountId = await createTestAccount(before);
    const first = await positionOf(before.websites, accountId);
    await before.websites.create(accountId, newWebsite("a.example"));
    const copied = await positionOf(before.websites, accountId);
    await before.close();
    await copyDatabase({ from: { ...before.database, setting: "--from" }, to: { ...destination, setting: "--to" } });
    now += 1;
    const original = await openWithTestAuthor({ ...before.database, now: () => now });
    await original.websites.create(accountId, newWebsite("lost.example"));
    const lost = await positionOf(original.websites, accountId);
    await original.close();
    await using copy = await openWithTestAuthor({ ...destination, now: () => now + 1 });
    const { create, changes } = copy.websites;
    const read = async (since: ChangePosition) => {
      const found = await changes(accountId, { since, perPage: 10 });
      return found === "expired" ? found : found.websites.map(({ website }) => website.domain);
    };
    expect([await read(first), await read(copied), await read(lost)]).toEqual([["a.example"], [], "expired"]);
    await create(accountId, newWebsite("b.example"));
    expect([await read(copied), await read(lost)]).toEqual([["b.example"], "expired"]);
    await create(accountId, newWebsite("c.example"));
    expect([await read(copied), await read(lost)]).toEqual([["b.example", "c.example"], "expired"]);
  });

  it("are those of the primary if a replica does not know the cursor", async () => {
    await using before = await openTestStorage(engine);
    await using behind = await engine();
    const accountId = await createTestAccount(before);
    await before.websites.create(accountId, newWebsite("a.example"));
    await before.close();
    await copyDatabase({ from: { ...before.database, setting: "--from" }, to: { ...behind, setting: "--to" } });
    const { websites, close } = await openWithTestAuthor(before.database);
    await websites.create(accountId, newWebsite("b.example"));
    const since = await positionOf(websites, accountId);
    await websites.create(accountId, newWebsite("c.example"));
    await close();
    const [replica, primary] = [await openDatabase(behind), await openDatabase(before.database)];
    const database: typeof primary = { ...primary, readUpToDate: (work) => work(replica.primary) };
    const { changes } = createWebsiteStore(database, callHere(database));
    expect(await changes(accountId, { since, perPage: 10 })).toMatchObject({
      websites: [{ website: { domain: "c.example" } }],
    });
    await replica.close();
    await primary.close();
  });
});

const none: ChangePosition = { number: 0, at: 0 };

async function positionOf(store: TestWebsiteStore, accountId: number): Promise<ChangePosition> {
  return (await store.list(accountId, newest)).changes;
}
