import type { WebsiteListRequest } from "@siteward/service";
import { expect, it } from "vitest";
import { describeOnEveryStorage } from "../../../../test/support/storage/describe-on-every-storage.ts";
import { createTestAccount, newWebsite } from "../../../../test/support/storage/open-test-storage.ts";

const byId: WebsiteListRequest = { sortBy: "id", sort: "asc", perPage: 100, start: { page: 1 } };

describeOnEveryStorage("websites", (open) => {
  it("never decreases the time of a creation or a change, even if the clock goes backwards", async () => {
    let now = 5000;
    await using storage = await open({ now: () => now });
    const accountId = await createTestAccount(storage);
    await storage.websites.create(accountId, newWebsite("a.example"));
    now = 1000;
    const { website } = await storage.websites.create(accountId, newWebsite("b.example"));
    expect(website.created_at).toBe(new Date(5000).toISOString());
    const changed = await storage.websites.update(accountId, 2, () => ({ email: 1 }));
    expect(changed?.website.updated_at).toBe(new Date(5000).toISOString());
    now = 9000;
    const later = await storage.websites.update(accountId, 2, () => ({ email: 0 }));
    expect(later?.website.updated_at).toBe(new Date(9000).toISOString());
  });

  it("reads the record unless it has a version", async () => {
    await using storage = await open();
    const accountId = await createTestAccount(storage);
    await storage.websites.create(accountId, newWebsite("a.example", { exclude_params: ["a"] }));
    const record = await storage.websites.get(accountId, 1);
    expect(await storage.websites.getUnless(accountId, 1, 1)).toBe("unchanged");
    expect(await storage.websites.getUnless(accountId, 1, 2)).toEqual(record);
    expect(await storage.websites.getUnless(accountId, 2, 1)).toBeUndefined();
    expect(await storage.websites.getUnless(accountId + 1, 1, 1)).toBeUndefined();
  });

  it("stores nothing of an update whose decision throws, and continues to work", async () => {
    await using storage = await open();
    const accountId = await createTestAccount(storage);
    const { isReplay: _, ...created } = await storage.websites.create(accountId, newWebsite("a.example"));
    const refusal = new Error("No.");
    const update = storage.websites.update(accountId, 1, () => {
      throw refusal;
    });
    await expect(update).rejects.toBe(refusal);
    expect(await storage.websites.get(accountId, 1)).toEqual(created);
    expect((await storage.websites.create(accountId, newWebsite("b.example"))).website.id).toBe(2);
  });

  it("never returns a list of two mixed states during concurrent writes", async () => {
    await using storage = await open();
    const accountId = await createTestAccount(storage);
    const work = Array.from({ length: 60 }, async (_, index) => {
      const { website } = await storage.websites.create(accountId, newWebsite(`site-${index}.example`));
      if (index % 3 === 0) await storage.websites.delete(accountId, website.id);
    });
    const lists = Array.from({ length: 200 }, async (_, index) => {
      const search = index % 2 === 0 ? {} : { search: "site-" };
      const { websites, total } = await storage.websites.list(accountId, { ...byId, ...search });
      expect(total).toBe(websites.length);
    });
    await Promise.all([...work, ...lists]);
    const { websites, total } = await storage.websites.list(accountId, { ...byId, search: "example" });
    expect([websites.length, total]).toEqual([40, 40]);
  });

  it("finds, changes and creates nothing in an account that does not exist", async () => {
    await using storage = await open();
    const changes = { number: 0, at: 0 };
    const none = { websites: [], versions: [], total: 0, totalRelation: "eq" };
    const nothing = { ...none, hasPrevious: false, hasNext: false, changes };
    expect(await storage.websites.list(7, byId)).toEqual(nothing);
    expect(await storage.websites.list(7, { ...byId, search: "a" })).toEqual(nothing);
    expect(await storage.websites.list(7, { ...byId, start: { page: 9 } })).toEqual(nothing);
    expect(await storage.websites.list(7, { ...byId, search: "a/b" })).toEqual(nothing);
    expect(await storage.websites.get(7, 1)).toBeUndefined();
    expect(await storage.websites.update(7, 1, () => ({ email: 1 }))).toBeUndefined();
    expect(await storage.websites.delete(7, 1)).toBe(false);
    const idempotency = { key: "k", fingerprint: "f" };
    expect(await storage.websites.findCreated(7, idempotency)).toBeUndefined();
    const create = storage.websites.create(7, newWebsite("a.example"), { idempotency });
    await expect(create).rejects.toThrow("Account 7 does not exist.");
    expect(await storage.accounts.get(7)).toBeUndefined();
  });
});
