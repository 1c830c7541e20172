import type { WebsiteListRequest } from "@siteward/service";
import { beforeAll, describe, expect, it } from "vitest";
import { engines, type TestDatabase } from "../../../test/support/engines.ts";
import { explainPostgres, openNoted, totalRows, useNoted } from "../../../test/support/storage/explain.ts";
import { pretendCitus } from "../../../test/support/storage/pretend-citus.ts";
import { newWebsite, testAuthor } from "../../../test/support/storage.ts";
import { tables } from "../tables/schema.ts";

const grown = { accountId: 250, count: 3_000 };
const middle = grown.count / 2;

const list: WebsiteListRequest = { sortBy: "id", sort: "desc", perPage: 10, start: { page: 1 } };
const after = (key: number | string) => ({ position: { key, side: "after" }, direction: "forward" }) as const;

describe("PostgreSQL with an account that has outgrown its neighbours", () => {
  const noted = useNoted(engines.postgres, (_database, place) => fillNeighbours(place, 2_000, 1));
  // After the statistics were made.
  beforeAll(() => grow(noted().place));

  type Work = [name: string, most: number, work: (number: number) => Promise<unknown>];
  const lists: [string, number, WebsiteListRequest][] = [
    ["a list", 12, list],
    ["a list by domain", 12, { ...list, sortBy: "domain" }],
    ["a long page", 102, { ...list, perPage: 100 }],
    ["a long page by domain", 103, { ...list, sortBy: "domain", perPage: 100, start: after("site-5") }],
    ["a page backward", 13, { ...list, start: { position: { key: middle, side: "before" }, direction: "backward" } }],
    ["page 20", 210, { ...list, start: { page: 20 } }],
    ["a search of what all have", 2 * grown.count + 60, { ...list, search: "example" }],
    ["a search of what many have", grown.count + 100, { ...list, search: "shop", sortBy: "domain" }],
    ["a search of what few have", 40, { ...list, search: "e-299" }],
    ["a search of what none has", 5, { ...list, search: "nowhere" }],
  ];
  const id = grown.accountId;
  const place = { at: middle, subject: "website", subject_id: middle, version: 1 } as const;
  const keyed = (number: number) => ({ by: testAuthor, idempotency: { key: `new-${number}`, fingerprint: "f" } });
  const works: Work[] = [
    ...lists.map(([name, most, request]): Work => [name, most, () => noted().websites.list(id, request)]),
    ["a record", 1, () => noted().websites.get(id, middle)],
    ["changes", 202, () => noted().websites.changes(id, { since: { number: middle, at: middle }, perPage: 100 })],
    ["the trail", 101, () => noted().audit.list(id, { limit: 100 })],
    ["a page deep in it", 101, () => noted().audit.list(id, { limit: 100, after: place })],
    ["what a key did in it, of 1,000 entries", 2_000, () => noted().audit.list(id, { limit: 10, apiKey: "swk_rare" })],
    ["the trail of a website", 3, () => noted().audit.list(id, { limit: 10, websiteId: middle })],
    ["a create", 5, (number) => noted().websites.create(id, newWebsite(`new-${number}.example`), keyed(number))],
    [
      "an update",
      5,
      (number) => noted().websites.update(id, middle + 1, () => ({ privacy: number % 2 ? 1 : 0 }), testAuthor),
    ],
    ["a deletion", 5, (number) => noted().websites.delete(id, number, () => undefined, testAuthor)],
    ["retention", 210, () => noted().retention.deleteExpired(id, 0)],
  ];

  describe.each([
    ["before it makes its statistics again", 1],
    ["afterwards", 3],
  ] as const)("%s", (_, number) => {
    beforeAll(async () => void (number > 1 && (await noted().place.execute("analyze"))));

    it.each<Work>(works)("reads only what it needs for %s: at most %i rows", async (_name, most, work) => {
      const scans = await explainPostgres(noted(), () => work(number));
      expect(totalRows(scans)).toBeLessThanOrEqual(most);
      const generic = await explainPostgres(noted(), () => work(number + 1), { isGeneric: true });
      expect(totalRows(generic)).toBeLessThanOrEqual(most);
    });
  });
});

it("On a node of Citus, a search of such an account uses the index before the engine knows", async () => {
  await using noted = await openNoted(engines.postgres, async (_database, place) => {
    await pretendCitus(place, { isCoordinator: true, distributed: Object.keys(tables) });
    await fillNeighbours(place, 500, 20);
  });
  await grow(noted.place);
  for (const search of ["shop", "example", "p-4242", "nowhere"]) {
    const scans = await explainPostgres(noted, () => noted.websites.list(grown.accountId, { ...list, search }));
    const [, , counted] = scans.filter(({ table }) => table === "websites");
    expect(counted).toMatchObject({ index: "websites_search" });
  }
});

async function fillNeighbours({ execute }: TestDatabase, accounts: number, count: number): Promise<void> {
  for (const table of ["websites", "audit_entries", "idempotency_keys"])
    await execute(`alter table ${table} set (autovacuum_enabled = off)`);
  await execute(`insert into accounts (id, name, email, website_count, last_website_id, last_website_created_at, created_at, updated_at)
    select id, 'A', 'a@a.example', ${count}, ${count}, 0, 0, 0 from generate_series(1, ${accounts}) as id`);
  await execute(fill(`generate_series(1, ${accounts})`, `generate_series(1, ${count})`));
}

async function grow({ execute }: TestDatabase): Promise<void> {
  const { accountId, count } = grown;
  const [{ old } = {}] = await execute(`select website_count as old from accounts where id = ${accountId}`);
  await execute(fill(`generate_series(${accountId}, ${accountId})`, `generate_series(${Number(old) + 1}, ${count})`));
  await execute(`update accounts set website_count = ${count}, last_website_id = ${count},
    change_count = ${count}, changed_at = ${count} where id = ${accountId}`);
}

/** Inserts websites, each with its entry in the trail and an outcome. */
function fill(accountIds: string, ids: string): string {
  const each = `from ${accountIds} as account, ${ids} as id`;
  return `
    with website as (
      insert into websites (account_id, id, domain, privacy, email, exclude_bots, exclude_params, exclude_ips, version, created_at, updated_at)
        select account, id, (array['shop', 'site'])[1 + id % 2] || '-' || id || '.example', 0, 0, 0, '[]', '[]', 1, id, id ${each}
    ), outcome as (
      insert into idempotency_keys (account_id, key, fingerprint, outcome, created_at)
        select account, 'key-' || id, 'f', '{}', id ${each}
    )
    insert into audit_entries (account_id, at, subject, subject_id, version, action, api_key, changes, position)
      select account, id, 'website', id, 1, 'website.created', 'swk_test', '{}', id ${each}`;
}
