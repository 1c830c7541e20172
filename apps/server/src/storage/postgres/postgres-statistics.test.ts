import type { WebsiteListRequest } from "@siteward/service";
import { beforeAll, describe, expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { explainPostgres, totalRows, useNoted } from "../../../test/support/storage/explain.ts";
import { newWebsite, testAuthor } from "../../../test/support/storage.ts";

const accounts = 2_000;
const grown = { accountId: 1_000, count: 3_000 };
const middle = grown.count / 2;

const list: WebsiteListRequest = { sortBy: "id", sort: "desc", perPage: 10, start: { page: 1 } };
const after = (key: number | string) => ({ position: { key, side: "after" }, direction: "forward" }) as const;

describe("PostgreSQL with an account that has outgrown its neighbours", () => {
  const noted = useNoted(engines.postgres, async (_database, { execute }) => {
    for (const table of ["websites", "audit_entries", "idempotency_keys"])
      await execute(`alter table ${table} set (autovacuum_enabled = off)`);
    await execute(`insert into accounts (id, name, email, website_count, last_website_id, last_website_created_at, created_at, updated_at)
      select id, 'A', 'a@a.example', 1, 1, 0, 0, 0 from generate_series(1, ${accounts}) as id`);
    await execute(fill(`generate_series(1, ${accounts})`, "generate_series(1, 1)"));
  });

  // After the statistics were made.
  beforeAll(async () => {
    const { execute } = noted().place;
    await execute(
      fill(`generate_series(${grown.accountId}, ${grown.accountId})`, `generate_series(2, ${grown.count})`),
    );
    await execute(`update accounts set website_count = ${grown.count}, last_website_id = ${grown.count},
      change_count = ${grown.count}, changed_at = ${grown.count} where id = ${grown.accountId}`);
  });

  type Work = [name: string, most: number, work: (number: number) => Promise<unknown>];
  const lists: [string, number, WebsiteListRequest][] = [
    ["a list", 12, list],
    ["a list by domain", 12, { ...list, sortBy: "domain" }],
    ["a long page", 102, { ...list, perPage: 100 }],
    ["a long page by domain", 103, { ...list, sortBy: "domain", perPage: 100, start: after("site-5") }],
    ["page 20", 210, { ...list, start: { page: 20 } }],
    ["a search of what all have", 2 * grown.count + 60, { ...list, search: "example" }],
    ["a search of what many have", grown.count + 100, { ...list, search: "shop", sortBy: "domain" }],
    ["a search of what few have", 40, { ...list, search: "e-299" }],
    ["a search of what none has", 5, { ...list, search: "nowhere" }],
  ];
  const id = grown.accountId;
  const keyed = (number: number) => ({ by: testAuthor, idempotency: { key: `new-${number}`, fingerprint: "f" } });
  const works: Work[] = [
    ...lists.map(([name, most, request]): Work => [name, most, () => noted().websites.list(id, request)]),
    ["a record", 1, () => noted().websites.get(id, middle)],
    ["changes", 202, () => noted().websites.changes(id, { since: { number: middle, at: middle }, perPage: 100 })],
    ["the trail", 101, () => noted().audit.list(id, { limit: 100 })],
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
