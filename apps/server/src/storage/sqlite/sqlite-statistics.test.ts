import { expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { explainSqlite, openNoted } from "../../../test/support/storage/explain.ts";
import { fillAccount } from "../../../test/support/storage/fill-account.ts";
import { createTestAccount } from "../../../test/support/storage/open-test-storage.ts";
import { callHere } from "../changes/call-change.ts";
import { createAccountStore } from "../stores/account-store.ts";
import { createWebsiteStore } from "../stores/website-store.ts";

it("lists need no sort after an operator has made statistics of the only account", async () => {
  await using noted = await openNoted(engines.sqlite, async (database, place) => {
    const accountId = await createTestAccount({ accounts: createAccountStore(database) });
    await fillAccount(
      database,
      accountId,
      Array.from({ length: 5_000 }, (_, index) => `${index}.example`),
    );
    await place.execute("analyze");
  });
  const { list } = createWebsiteStore(noted.database, callHere(noted.database));
  for (const sortBy of ["id", "domain"] as const) {
    for (const sort of ["asc", "desc"] as const) {
      for (const start of [{ page: 1 }, { page: 9 }]) {
        const plan = await explainSqlite(noted, () => list(1, { sortBy, sort, perPage: 10, start }));
        expect(plan.filter((step) => step.includes("TEMP B-TREE"))).toEqual([]);
      }
    }
  }
});
