import { describe, expect, it } from "vitest";
import { engines } from "../../../../test/support/engines.ts";
import { createTestAccount, newWebsite } from "../../../../test/support/storage/open-test-storage.ts";
import { openWithTestAuthor } from "../../../../test/support/storage/with-test-author.ts";

describe("search on PostgreSQL", () => {
  it("returns the same pages on an engine that does not support our index", async () => {
    await using database = await engines.postgres();
    await database.execute(`
      drop extension plpgsql;
      create role ${database.name} login password 'limited';
      grant create on schema public to ${database.name}`);
    const limited = Object.assign(new URL(database.databaseUrl), { username: database.name, password: "limited" });
    const storage = await openWithTestAuthor({ databaseUrl: limited.href });
    const accountId = await createTestAccount(storage);
    const domains = Array.from({ length: 40 }, (_, index) => `${index % 3 === 0 ? "shop" : "blog"}-${index}.example`);
    for (const domain of domains) await storage.websites.create(accountId, newWebsite(domain));
    for (const search of ["shop", "g-1", "-", "3", ".ex", "nothing"]) {
      const matches = domains.filter((domain) => domain.includes(search));
      const byId = { search, sortBy: "id", sort: "asc", perPage: 25, start: { page: 1 } } as const;
      const list = await storage.websites.list(accountId, byId);
      expect([list.total, list.websites.map(({ domain }) => domain)]).toEqual([matches.length, matches.slice(0, 25)]);
      const after = { position: { key: "blog-4.example", side: "after" }, direction: "forward" } as const;
      const byDomain = await storage.websites.list(accountId, { ...byId, sortBy: "domain", start: after });
      const later = matches.filter((domain) => domain > "blog-4.example").toSorted();
      expect(byDomain.websites.map(({ domain }) => domain)).toEqual(later.slice(0, 25));
    }
    await storage.close();
    await database.execute(`drop owned by ${database.name}; drop role ${database.name}`);
  });
});
