import { describe, expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { fillMemory } from "../../../test/support/storage/fill-account.ts";
import { createTestAccount, newWebsite, openWithTestAuthor } from "../../../test/support/storage.ts";
import { maxSmall } from "../reads/website-search.ts";

describe("search on PostgreSQL", () => {
  it("returns the pages of memory on an engine that does not support our index", async () => {
    await using database = await engines.postgres();
    const role = new URL(database.databaseUrl).pathname.slice(1);
    await database.execute(`
      drop extension plpgsql;
      create role ${role} login password 'limited';
      grant create on schema public to ${role}`);
    const limited = Object.assign(new URL(database.databaseUrl), { username: role, password: "limited" });
    const storage = await openWithTestAuthor({ databaseUrl: limited.href, now: () => 0 });
    await storage.websites.create(await createTestAccount(storage), newWebsite("shop-of-others.example"));
    const accountId = await createTestAccount(storage);
    const domains = Array.from({ length: 40 }, (_, index) => `${index % 3 === 0 ? "shop" : "blog"}-${index}.example`);
    for (const domain of domains) await storage.websites.create(accountId, newWebsite(domain));
    // So large that a search does not just read all of them.
    await database.execute(`update accounts set website_count = ${maxSmall + 1}`);
    const memory = await fillMemory(domains);
    for (const search of ["shop", "g-1", "-", "3", ".ex", "nothing"]) {
      const byId = { search, sortBy: "id", sort: "asc", perPage: 25, start: { page: 1 } } as const;
      const after = { position: { key: "blog-4.example", side: "after" }, direction: "forward" } as const;
      for (const request of [byId, { ...byId, sortBy: "domain", start: after } as const]) {
        expect(await storage.websites.list(accountId, request)).toEqual(await memory.list(1, request));
      }
    }
    await storage.close();
    await database.execute(`drop owned by ${role}; drop role ${role}`);
  });
});
