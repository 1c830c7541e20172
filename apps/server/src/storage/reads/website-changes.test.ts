import type { ChangePosition } from "@siteward/service";
import { expect, it } from "vitest";
import { describeOnEveryEngine } from "../../../test/support/engines.ts";
import { copyInstallation } from "../../../test/support/storage/copy-installation.ts";
import { createTestAccount, newWebsite } from "../../../test/support/storage/open-test-storage.ts";
import {
  openWithTestAuthor,
  type TestWebsiteStore,
  websitesWithTestAuthor,
} from "../../../test/support/storage/with-test-author.ts";
import { callHere } from "../changes/call-change.ts";
import { createWebsiteStore } from "../changes/website-store.ts";
import { type DatabaseOptions, openDatabase } from "../engine/database.ts";

const newest = { sortBy: "id", sort: "desc", perPage: 1, start: { page: 1 } } as const;
const accountId = 1;
const dayMs = 86_400_000;

describeOnEveryEngine("the changes of an account", (engine) => {
  it("are expired where retention has deleted the first ones after the cursor, or some between, but not at the newest", async () => {
    await using place = await openAccount(engine);
    let now = dayMs;
    const store = await place.open(() => now);
    const positions: ChangePosition[] = [await positionOf(store)];
    for (const time of [1, 2, 3, 9, 5]) {
      now = time * dayMs;
      await store.create(accountId, newWebsite(`${time}.example`));
      positions.push(await positionOf(store));
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
    await using place = await openAccount(engine);
    await using destination = await engine();
    let now = dayMs;
    const before = await place.open(() => now);
    const first = await positionOf(before);
    await before.create(accountId, newWebsite("a.example"));
    const copied = await positionOf(before);
    await place.copyTo(destination);
    now += 1;
    const original = await place.open(() => now);
    await original.create(accountId, newWebsite("lost.example"));
    const lost = await positionOf(original);
    const database = await openDatabase({ ...destination, now: () => now + 1 });
    const { create, changes } = websitesOf(database);
    const read = async (since: ChangePosition) => {
      const found = await changes(accountId, { since, perPage: 10 });
      return found === "expired" ? found : found.websites.map(({ website }) => website.domain);
    };
    expect([await read(first), await read(copied), await read(lost)]).toEqual([["a.example"], [], "expired"]);
    await create(accountId, newWebsite("b.example"));
    expect([await read(copied), await read(lost)]).toEqual([["b.example"], "expired"]);
    await create(accountId, newWebsite("c.example"));
    expect([await read(copied), await read(lost)]).toEqual([["b.example", "c.example"], "expired"]);
    await database.close();
  });

  it("are those of the primary if a replica does not know the cursor", async () => {
    await using place = await openAccount(engine);
    await using behind = await engine();
    await (await place.open(() => dayMs)).create(accountId, newWebsite("a.example"));
    await place.copyTo(behind);
    const store = await place.open(() => dayMs);
    await store.create(accountId, newWebsite("b.example"));
    const since = await positionOf(store);
    await store.create(accountId, newWebsite("c.example"));
    const [replica, primary] = [await openDatabase(behind), await openDatabase(place)];
    const { changes } = websitesOf({ ...primary, readUpToDate: (work) => work(replica.primary) });
    expect(await changes(accountId, { since, perPage: 10 })).toMatchObject({
      websites: [{ website: { domain: "c.example" } }],
    });
    await replica.close();
    await primary.close();
  });
});

const none: ChangePosition = { number: 0, at: 0 };

async function openAccount(engine: Parameters<Parameters<typeof describeOnEveryEngine>[1]>[0]) {
  const place = await engine();
  const storage = await openWithTestAuthor(place);
  expect(await createTestAccount(storage)).toBe(accountId);
  await storage.close();
  const open: Awaited<ReturnType<typeof openDatabase>>[] = [];
  const close = async () => {
    for (const database of open.splice(0)) await database.close();
  };
  return {
    ...place,
    /** Closes all that it has opened, and copies the database. */
    async copyTo({ databaseUrl }: { readonly databaseUrl: string }): Promise<void> {
      await close();
      await copyInstallation(place.databaseUrl, databaseUrl);
    },
    /** Opens the websites as another server, whose clock says this. */
    async open(now: NonNullable<DatabaseOptions["now"]>): Promise<TestWebsiteStore> {
      const database = await openDatabase({ ...place, now });
      open.push(database);
      return websitesOf(database);
    },
    async [Symbol.asyncDispose]() {
      await close();
      await place[Symbol.asyncDispose]();
    },
  };
}

function websitesOf(database: Parameters<typeof createWebsiteStore>[0]): TestWebsiteStore {
  return websitesWithTestAuthor(createWebsiteStore(database, callHere(database)));
}

async function positionOf(store: TestWebsiteStore): Promise<ChangePosition> {
  return (await store.list(accountId, newest)).changes;
}
