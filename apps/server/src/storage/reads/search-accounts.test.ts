import { expect, it } from "vitest";
import { describeOnEveryEngine } from "../../../test/support/engines.ts";
import { fillAccount } from "../../../test/support/storage/fill-account.ts";
import { openDatabase } from "../engine/database.ts";
import { sql } from "../engine/statement.ts";
import type { SearchedColumns } from "../tables/website-match.ts";

/** The digits of some ids begin or end those of others. */
const accountIds = [1, 2, 11, 12, 112, 121];
/** On SQLite, the index has most of them. */
const count = 300;

describeOnEveryEngine("the indexes of a search, which those of all accounts share", (engine) => {
  it("find the websites of one account and never one of another, also by terms that no request contains", async () => {
    await using place = await engine({ isMigrated: true });
    const database = await openDatabase(place);
    await using _ = { [Symbol.asyncDispose]: () => database.close() };
    await place.execute(`insert into accounts (id, name, email, website_count, last_website_id, last_website_created_at,
      created_at, updated_at) values ${accountIds.map((id) => `(${id}, 'A', 'a@a.example', 0, 0, 0, 0, 0)`).join(", ")}`);
    for (const id of accountIds) await fillAccount(database, id, domainsOf(id));
    const { primary, websiteSearch } = database;
    const [large, small] = [await websiteSearch.searchLarge(primary), await websiteSearch.searchSmall(primary)];
    for (const accountId of accountIds) {
      for (const term of terms) {
        for (const { query, valuesOf } of [
          { query: large.matches(columns), valuesOf: large.valuesOf },
          { query: small.matches(columns, sql`true`), valuesOf: small.valuesOf },
        ]) {
          const values = { accountId, term, ...valuesOf(accountId, term) };
          const found = await primary.read<{ domain: string }>(query, values);
          const own = domainsOf(accountId).filter((domain) => domain.includes(term));
          expect(found.map(({ domain }) => domain).toSorted(), `${accountId} ${term}`).toEqual(own.toSorted());
        }
      }
    }
  });
});

const columns: SearchedColumns = ["domain", "unicode_domain"];

/** Each contains its account, and parts that look like the index of another one. */
function domainsOf(accountId: number): string[] {
  return Array.from({ length: count }, (_, index) => `${accountId}-${index}.a${accountId}.1.2-ab.example`);
}

/** Parts of all lengths, alone and behind the account of another one, as the indexes have them. */
const terms = ["", "1:", ":", "2:", "11:", "12:", "1:1:", "121:"].flatMap((start) =>
  ["1", "2", "a", ".", "12", "1-", "2-a", "112", "a11", "2-ab", ".a12.1", "121-299.a121"].map(
    (part) => `${start}${part}`,
  ),
);
