import type { WebsiteListRequest } from "@siteward/service";
import { expect, it } from "vitest";
import { describeOnEveryStorage } from "../../../../test/support/storage/describe-on-every-storage.ts";
import { createTestAccount, newWebsite } from "../../../../test/support/storage/open-test-storage.ts";

const byId: WebsiteListRequest = { sortBy: "id", sort: "asc", perPage: 100, start: { page: 1 } };

describeOnEveryStorage("websites", (open) => {
  it("assigns ids from 1 in each account and never assigns one twice", async () => {
    await using storage = await open();
    const first = await createTestAccount(storage);
    const second = await createTestAccount(storage);
    const ids: number[] = [];
    for (const accountId of [first, second, first, first]) {
      const { website } = await storage.websites.create(accountId, newWebsite(`site-${ids.length}.example`));
      ids.push(website.id);
    }
    expect(await storage.websites.delete(first, 3)).toBe(true);
    const { website } = await storage.websites.create(first, newWebsite("later.example"));
    expect([...ids, website.id]).toEqual([1, 1, 2, 3, 4]);
  });

  it("returns what was stored, and whether there is a password instead of its hash", async () => {
    await using storage = await open({ now: () => 1_700_000_000_123 });
    const accountId = await createTestAccount(storage);
    const settings = {
      privacy: 2,
      email: 1,
      exclude_bots: 0,
      exclude_params: ["utm_*", 'quo"te'],
      exclude_ips: ["203.0.113.0/24"],
    } as const;
    const lists = { exclude_params: [...settings.exclude_params], exclude_ips: [...settings.exclude_ips] };
    const { isReplay: _, ...created } = await storage.websites.create(
      accountId,
      newWebsite("a.example", { ...settings, ...lists, passwordHash: "$argon2id$secret" }),
    );
    expect(created).toEqual({
      version: 1,
      website: {
        id: 1,
        domain: "a.example",
        has_password: true,
        ...settings,
        created_at: "2023-11-14T22:13:20.123Z",
        updated_at: "2023-11-14T22:13:20.123Z",
      },
    });
    expect(await storage.websites.get(accountId, 1)).toEqual(created);
    expect((await storage.websites.list(accountId, byId)).websites).toEqual([created.website]);
    expect((await storage.websites.list(accountId, { ...byId, search: "a." })).websites).toEqual([created.website]);
  });

  it("never shows, changes or deletes a website of another account", async () => {
    await using storage = await open();
    const owner = await createTestAccount(storage);
    const other = await createTestAccount(storage);
    const { isReplay: _, ...created } = await storage.websites.create(owner, newWebsite("a.example"));
    expect(await storage.websites.get(other, 1)).toBeUndefined();
    expect(await storage.websites.update(other, 1, () => ({ email: 1 }))).toBeUndefined();
    expect(await storage.websites.delete(other, 1)).toBe(false);
    expect((await storage.websites.list(other, { ...byId, search: "a.example" })).websites).toEqual([]);
    expect(await storage.websites.get(owner, 1)).toEqual(created);
  });

  it("refuses a domain that the account already has, and names the website that has it", async () => {
    await using storage = await open();
    const accountId = await createTestAccount(storage);
    await storage.websites.create(accountId, newWebsite("a.example"));
    await storage.websites.create(accountId, newWebsite("b.example"));
    const again = storage.websites.create(accountId, newWebsite("b.example"));
    await expect(again).rejects.toMatchObject({ failure: { reason: "domain-taken", websiteId: 2 } });
    expect((await storage.accounts.get(accountId))?.websites.count).toBe(2);
    expect((await storage.websites.create(accountId, newWebsite("c.example"))).website.id).toBe(3);
  });

  it("refuses a website past the limit, but reports a taken domain first", async () => {
    await using storage = await open();
    const accountId = await createTestAccount(storage, 1);
    await storage.websites.create(accountId, newWebsite("a.example"));
    const over = storage.websites.create(accountId, newWebsite("b.example"));
    await expect(over).rejects.toMatchObject({ failure: { reason: "website-limit-reached", limit: 1 } });
    const taken = storage.websites.create(accountId, newWebsite("a.example"));
    await expect(taken).rejects.toMatchObject({ failure: { reason: "domain-taken" } });
    expect((await storage.accounts.get(accountId))?.websites.count).toBe(1);
    expect((await storage.websites.list(accountId, { ...byId, search: "b.example" })).total).toBe(0);
    await storage.websites.delete(accountId, 1);
    expect((await storage.websites.create(accountId, newWebsite("b.example"))).website.id).toBe(2);
  });

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

  it("changes only the given fields, and increments the version", async () => {
    let now = 1000;
    await using storage = await open({ now: () => now });
    const accountId = await createTestAccount(storage);
    const { website } = await storage.websites.create(
      accountId,
      newWebsite("a.example", { exclude_ips: ["192.0.2.1"], privacy: 2, passwordHash: "hash" }),
    );
    now = 2000;
    const changed = await storage.websites.update(accountId, 1, (current) => {
      expect(current).toEqual({ website, version: 1 });
      return { exclude_params: ["b", "a"] };
    });
    const expected = { ...website, exclude_params: ["b", "a"], updated_at: new Date(2000).toISOString() };
    expect(changed).toEqual({ website: expected, version: 2 });
    const cleared = await storage.websites.update(accountId, 1, () => ({ privacy: 0, passwordHash: null }));
    expect(cleared).toEqual({ website: { ...expected, privacy: 0, has_password: false }, version: 3 });
    expect(await storage.websites.get(accountId, 1)).toEqual(cleared);
  });

  it("keeps the version and the time if an update changes nothing", async () => {
    let now = 1000;
    await using storage = await open({ now: () => now });
    const accountId = await createTestAccount(storage);
    const { isReplay: _, ...created } = await storage.websites.create(
      accountId,
      newWebsite("a.example", { exclude_params: ["x"] }),
    );
    now = 2000;
    const same = { email: 0, exclude_params: ["x"], passwordHash: null } as const;
    const changes = [{}, { ...same, exclude_params: [...same.exclude_params] }];
    for (const change of changes) {
      expect(await storage.websites.update(accountId, 1, () => change)).toEqual(created);
    }
    expect(await storage.websites.get(accountId, 1)).toEqual(created);
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

  it("lets each of many concurrent updates see what the previous one wrote", async () => {
    await using storage = await open();
    const accountId = await createTestAccount(storage);
    await storage.websites.create(accountId, newWebsite("a.example"));
    const add = (name: string) =>
      storage.websites.update(accountId, 1, ({ website: { exclude_params } }) => ({
        exclude_params: [...exclude_params, name],
      }));
    const names = Array.from({ length: 50 }, (_, index) => `p${index}`);
    await Promise.all(names.map(add));
    const found = await storage.websites.get(accountId, 1);
    expect(found?.version).toBe(51);
    expect(new Set(found?.website.exclude_params)).toEqual(new Set(names));
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
    const nothing = { websites: [], versions: [], total: 0, totalRelation: "eq", hasPrevious: false, hasNext: false };
    expect(await storage.websites.list(7, byId)).toEqual(nothing);
    expect(await storage.websites.list(7, { ...byId, search: "a" })).toEqual(nothing);
    expect(await storage.websites.list(7, { ...byId, start: { page: 9 } })).toEqual(nothing);
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
