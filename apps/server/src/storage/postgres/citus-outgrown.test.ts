import { expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { explainPostgres, openNoted } from "../../../test/support/storage/explain.ts";
import { fillAccount } from "../../../test/support/storage/fill-account.ts";
import { pretendCitus } from "../../../test/support/storage/pretend-citus.ts";
import { tables } from "../tables/schema.ts";

const neighbours = 500;
const grown = 3_000;

it("on a node of Citus, a search of an account that has outgrown its neighbours uses the index before the engine knows", async () => {
  await using noted = await openNoted(engines.postgres, async (_database, place) => {
    await pretendCitus(place, { isCoordinator: true, distributed: Object.keys(tables) });
    await place.execute(`
      alter table websites set (autovacuum_enabled = off);
      insert into accounts (id, name, email, website_count, last_website_id, last_website_created_at, created_at, updated_at)
        select id, 'A', 'a@a.example', 20, 20, 0, 0, 0 from generate_series(1, ${neighbours}) as id;
      insert into websites (account_id, id, domain, privacy, email, exclude_bots, exclude_params, exclude_ips, version, created_at, updated_at)
        select account, id, id || '.io', 0, 0, 0, '[]', '[]', 1, 0, 0
        from generate_series(1, ${neighbours - 1}) as account, generate_series(1, 20) as id`);
  });
  // After the statistics were made.
  const { database } = noted;
  await fillAccount(
    database,
    neighbours,
    Array.from({ length: grown }, (_, index) => `${["shop", "blog"][index % 2]}-${index}.example`),
  );
  const { list } = noted.websites;
  for (const search of ["shop", "example", "p-4242", "nowhere"]) {
    const request = { search, sortBy: "id", sort: "desc", perPage: 10, start: { page: 1 } } as const;
    const scans = await explainPostgres(noted, () => list(neighbours, request));
    const [, , counted] = scans.filter(({ table }) => table === "websites");
    expect(counted).toMatchObject({ index: "websites_search" });
  }
});
