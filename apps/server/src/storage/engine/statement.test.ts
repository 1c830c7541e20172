import { expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import {
  createTestAccount,
  newWebsite,
  openWithTestAuthor,
  websitesWithTestAuthor,
} from "../../../test/support/storage.ts";
import { callHere } from "../changes/call-change.ts";
import { prepareRequireTrailRoom } from "../changes/trail.ts";
import { createWebsiteStore } from "../stores/website-store.ts";
import type { SqlQuery } from "./connection.ts";
import { openDatabase } from "./database.ts";
import { listNames, sql } from "./statement.ts";

it("every prepared query for websites names its account, by which Citus finds the node that may hang", async () => {
  await using place = await engines.sqlite();
  await using storage = await openWithTestAuthor(place);
  const accountId = await createTestAccount(storage);
  const queries: SqlQuery[] = [];
  const database = await openDatabase({ ...place, log: ({ query }) => void queries.push(query) });
  const websites = websitesWithTestAuthor(createWebsiteStore(database, callHere(database), 1));
  const idempotency = { key: "key", fingerprint: "a" };
  for (const _ of [1, 2]) await websites.create(accountId, newWebsite("a.example"), { idempotency });
  await expect(websites.create(accountId, newWebsite("a.example"))).rejects.toMatchObject({ code: "domain_taken" });
  const page = { sortBy: "id", sort: "asc", perPage: 10, start: { page: 1 } } as const;
  expect((await websites.list(accountId, page)).total).toBe(1);
  expect((await websites.list(accountId, { ...page, search: "a" })).total).toBe(1);
  await websites.changes(accountId, { since: { number: 0, at: 0 }, perPage: 10 });
  await websites.get(accountId, 1);
  await websites.update(accountId, 1, () => ({ email: 1 }));
  await websites.delete(accountId, 1);
  await prepareRequireTrailRoom(database)(accountId, { bytes: 0, megabytes: 1, isDeletion: false, nowMs: 0 });
  const prepared = queries.filter(({ name }) => name !== undefined);
  expect(prepared.length).toBeGreaterThan(10);
  expect(prepared.filter((query) => query.accountId !== accountId).map(({ sql }) => sql)).toEqual([]);
  // Citus would commit it in two phases.
  expect(queries.filter(({ sql }) => /^insert into (websites|audit|idem).* select /s.test(sql))).toEqual([]);
  await database.close();
});

it("nothing of a request can be text of a statement", () => {
  const term: string = "' or true --";
  // @ts-expect-error A string is a value, and a value has a name.
  const statement = sql`select id from websites where domain = ${term}`;
  expect(statement).toContain(term);
  expect(() => listNames(["id", term])).toThrow("is no name of a table, a column or a value");
});
