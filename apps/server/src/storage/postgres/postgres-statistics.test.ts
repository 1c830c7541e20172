import type { WebsiteListRequest } from "@siteward/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { explainPostgres, type NotedDatabase, openNoted, totalRows } from "../../../test/support/storage/explain.ts";
import { newWebsite } from "../../../test/support/storage/open-test-storage.ts";
import { testAuthor } from "../../../test/support/storage/with-test-author.ts";
import { callHere } from "../changes/call-change.ts";
import { prepareDeleteExpired } from "../changes/delete-expired.ts";
import { createAuditStore } from "../reads/audit-store.ts";
import { createRetentionStore } from "../stores/retention-store.ts";
import { createWebsiteStore } from "../stores/website-store.ts";

const accounts = 2_000;
const grown = { accountId: 1_000, count: 3_000 };
const middle = grown.count / 2;

const list: WebsiteListRequest = { sortBy: "id", sort: "desc", perPage: 10, start: { page: 1 } };
const after = (key: number | string) => ({ position: { key, side: "after" }, direction: "forward" }) as const;

/** With `isFresh`, the statistics are made again afterwards. */
describe.each([false, true])(
  "PostgreSQL with an account that has outgrown its neighbours, fresh statistics: %s",
  (isFresh) => {
    let noted: NotedDatabase;

    beforeAll(async () => {
      noted = await openNoted(engines.postgres, async (_database, { execute }) => {
        await execute("alter table websites set (autovacuum_enabled = off)");
        await execute("alter table audit_entries set (autovacuum_enabled = off)");
        await execute("alter table idempotency_keys set (autovacuum_enabled = off)");
        await execute(`insert into accounts (id, name, email, website_count, last_website_id, last_website_created_at, created_at, updated_at)
        select id, 'A', 'a@a.example', 1, 1, 0, 0, 0 from generate_series(1, ${accounts}) as id`);
        await execute(fill(`generate_series(1, ${accounts})`, "generate_series(1, 1)"));
      });
      const { execute } = noted.place;
      await execute(
        fill(`generate_series(${grown.accountId}, ${grown.accountId})`, `generate_series(2, ${grown.count})`),
      );
      await execute(`update accounts set website_count = ${grown.count}, last_website_id = ${grown.count},
      change_count = ${grown.count}, changed_at = ${grown.count} where id = ${grown.accountId}`);
      if (isFresh) await execute("analyze");
    });
    afterAll(() => noted[Symbol.asyncDispose]());

    const websites = () => createWebsiteStore(noted.database, callHere(noted.database));
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
    it.each<Work>([
      ...lists.map(([name, most, request]): Work => [name, most, () => websites().list(grown.accountId, request)]),
      ["a record", 1, () => websites().get(grown.accountId, middle)],
      [
        "changes",
        202,
        () => websites().changes(grown.accountId, { since: { number: middle, at: middle }, perPage: 100 }),
      ],
      ["the trail", 101, () => createAuditStore(noted.database).list(grown.accountId, { limit: 100 })],
      [
        "the trail of a website",
        3,
        () => createAuditStore(noted.database).list(grown.accountId, { limit: 10, websiteId: middle }),
      ],
      [
        "a create",
        5,
        (number) =>
          websites().create(grown.accountId, newWebsite(`new-${number}.example`), {
            by: testAuthor,
            idempotency: { key: `new-${number}`, fingerprint: "f" },
          }),
      ],
      [
        "an update",
        5,
        (number) => websites().update(grown.accountId, middle, () => ({ privacy: number === 1 ? 1 : 2 }), testAuthor),
      ],
      ["a deletion", 5, (number) => websites().delete(grown.accountId, number, () => undefined, testAuthor)],
      [
        "retention",
        210,
        () =>
          createRetentionStore(noted.database, prepareDeleteExpired(noted.database)).deleteExpired(grown.accountId, 0),
      ],
    ])("reads only what it needs for %s: at most %i rows", async (_, most, work) => {
      expect(totalRows(await explainPostgres(noted, () => work(1)))).toBeLessThanOrEqual(most);
      expect(totalRows(await explainPostgres(noted, () => work(2), { isGeneric: true }))).toBeLessThanOrEqual(most);
    });
  },
);

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
