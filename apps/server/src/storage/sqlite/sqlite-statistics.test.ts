import type { WebsiteListRequest } from "@siteward/service";
import { expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { explainSqlite, type NotedDatabase, openNoted } from "../../../test/support/storage/explain.ts";
import { fillAccount } from "../../../test/support/storage/fill-account.ts";
import { createTestAccount, newWebsite, testAuthor } from "../../../test/support/storage.ts";
import { createAccountStore } from "../stores/account-store.ts";

const count = 2_500;

it("statistics change no plan, however many accounts and websites there were when an operator made them", async () => {
  await using noted = await openNoted(engines.sqlite, async (database) => {
    const accountId = await createTestAccount({ accounts: createAccountStore(database) });
    await fillAccount(
      database,
      accountId,
      Array.from({ length: count }, (_, index) => `${index}.example`),
    );
  });
  const plans = await explainAll(noted);
  for (const [accounts, websites] of [
    [1, 1],
    [1, 1_000_000],
    [100_000, 1],
    [1_000, 1_000],
  ] as const) {
    await noted.place.execute(`analyze; delete from sqlite_stat1; ${statistics(accounts, websites)}`);
    expect(await explainAll(noted), `${accounts} accounts of ${websites}`).toEqual(plans);
  }
});

/** What `analyze` finds: how many rows there are, and how many of them have the same account. */
function statistics(accounts: number, websites: number): string {
  const total = accounts * websites;
  const rows = [
    `('accounts', null, '${accounts}')`,
    ...["websites", "sqlite_autoindex_websites_2"].map((index) => `('websites', '${index}', '${total} ${websites} 1')`),
    `('websites', 'websites_unicode_domains', '${total} ${websites} 1 1')`,
    `('audit_entries', 'audit_entries', '${total} ${websites} 1 1 1 1')`,
    `('audit_entries', 'audit_entries_by_position', '${total} ${websites} 1')`,
    ...["idempotency_keys", "idempotency_keys_by_age"].map(
      (index) => `('idempotency_keys', '${index}', '${total} ${websites} 1')`,
    ),
  ];
  return `insert into sqlite_stat1 (tbl, idx, stat) values ${rows.join(", ")}`;
}

async function explainAll(noted: NotedDatabase): Promise<string[][]> {
  const { websites } = noted;
  const lists = (["id", "domain"] as const).flatMap((sortBy) =>
    [{ page: 1 }, { page: 9 }, { page: 9_999 }, forward(sortBy === "id" ? 50 : "5")].flatMap((start) =>
      (["asc", "desc"] as const).map((sort): WebsiteListRequest => ({ sortBy, sort, perPage: 10, start })),
    ),
  );
  const found = ["example", "777", "7.e"].flatMap((search) => lists.map((request) => ({ ...request, search })));
  const works = [
    ...[...lists, ...found].map((request) => () => websites.list(1, request)),
    () => websites.changes(1, { since: { number: 5, at: 0 }, perPage: 10 }),
    () => websites.get(1, 7),
    () => websites.create(1, newWebsite("7.example"), { by: testAuthor, idempotency: undefined }).catch(() => {}),
    () => noted.audit.list(1, { limit: 10, apiKey: "swk_test" }),
  ];
  const plans: string[][] = [];
  // The order in which two joined rows are read does not matter.
  for (const work of works) plans.push((await explainSqlite(noted, work)).toSorted());
  return plans;
}

function forward(key: number | string) {
  return { position: { key, side: "after" }, direction: "forward" } as const;
}
