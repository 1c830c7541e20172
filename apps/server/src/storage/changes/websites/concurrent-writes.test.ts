import type { VersionedWebsite, WebsiteListRequest } from "@siteward/service";
import { expect, it } from "vitest";
import { describeOnEveryStorage } from "../../../../test/support/storage/describe-on-every-storage.ts";
import { createTestAccount, newWebsite } from "../../../../test/support/storage/open-test-storage.ts";

const byId: WebsiteListRequest = { sortBy: "id", sort: "asc", perPage: 100, start: { page: 1 } };
const twenty = Array.from({ length: 20 }, (_, index) => index);

describeOnEveryStorage("concurrent writes", (open) => {
  it("create only one of 20 websites with the same domain, and count and number only that one", async () => {
    await using storage = await open();
    const accountId = await createTestAccount(storage);
    const create = (index: number) => storage.either(index).create(accountId, newWebsite("a.example"));
    const results = await Promise.allSettled(twenty.map(create));
    const refused = results.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(19);
    for (const result of refused) {
      expect(result).toMatchObject({ reason: { failure: { reason: "domain-taken", websiteId: 1 } } });
    }
    expect((await storage.accounts.get(accountId))?.websites.count).toBe(1);
    expect((await storage.websites.create(accountId, newWebsite("b.example"))).website.id).toBe(2);
  });

  it("refuse a domain only if the website that has it can be read, and a delete only if it cannot", async () => {
    await using storage = await open();
    const accountId = await createTestAccount(storage);
    const create = async (index: number) => {
      const refused = await storage.websites
        .create(accountId, newWebsite(`site-${index % 5}.example`))
        .then(() => undefined)
        .catch((error) => error.failure);
      if (refused !== undefined) expect(await storage.websites.get(accountId, refused.websiteId)).toBeDefined();
    };
    await Promise.all(twenty.map(create));
    const remove = async (index: number) => {
      const id = (index % 5) + 1;
      if (await storage.websites.delete(accountId, id)) return;
      expect(await storage.websites.get(accountId, id)).toBeUndefined();
    };
    await Promise.all(twenty.map(remove));
    expect((await storage.accounts.get(accountId))?.websites.count).toBe(0);
  });

  it("create exactly as many websites as the limit allows", async () => {
    await using storage = await open();
    const accountId = await createTestAccount(storage, 7);
    const create = (index: number) => storage.either(index).create(accountId, newWebsite(`site-${index}.example`));
    const results = await Promise.allSettled(twenty.map(create));
    const refused = results.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(13);
    for (const result of refused) {
      expect(result).toMatchObject({ reason: { failure: { reason: "website-limit-reached", limit: 7 } } });
    }
    const { websites, total } = await storage.websites.list(accountId, byId);
    expect([websites.map(({ id }) => id), total]).toEqual([[1, 2, 3, 4, 5, 6, 7], 7]);
  });

  it("assign every id once and in order of the times, even if the clock goes backwards", async () => {
    let now = 1_000_000;
    await using storage = await open({ now: () => (now -= 1_000) });
    const accountId = await createTestAccount(storage);
    const create = (index: number) => storage.either(index).create(accountId, newWebsite(`site-${index}.example`));
    await Promise.all(twenty.map(create));
    const { websites } = await storage.websites.list(accountId, byId);
    expect(websites.map(({ id }) => id)).toEqual(twenty.map((index) => index + 1));
    const times = websites.map(({ created_at }) => created_at);
    expect(times).toEqual(times.toSorted());
  });

  it("delete a website once, and count it down once", async () => {
    await using storage = await open();
    const accountId = await createTestAccount(storage);
    for (const name of ["a", "b", "c"]) await storage.websites.create(accountId, newWebsite(`${name}.example`));
    const deleted = await Promise.all(twenty.map((index) => storage.either(index).delete(accountId, 2)));
    expect(deleted.filter((wasThere) => wasThere)).toHaveLength(1);
    expect((await storage.accounts.get(accountId))?.websites.count).toBe(2);
  });

  it("keep the count exact while websites of the same domains are created and deleted", async () => {
    await using storage = await open();
    const accountId = await createTestAccount(storage, 4);
    const ids = new Set<number>();
    const work = twenty.map(async (index) => {
      for (let round = 0; round < 10; round += 1) {
        const websites = storage.either(index + round);
        const domain = `site-${(index + round) % 6}.example`;
        const created = await websites.create(accountId, newWebsite(domain)).catch(readFailure);
        if (created === undefined) continue;
        expect(ids.has(created.website.id)).toBe(false);
        ids.add(created.website.id);
        await storage.either(index).update(accountId, created.website.id, () => ({ email: 1 }));
        expect(await storage.either(index).delete(accountId, created.website.id)).toBe(true);
      }
    });
    await Promise.all(work);
    expect((await storage.accounts.get(accountId))?.websites.count).toBe(0);
    expect(Math.max(...ids)).toBe(ids.size);
    expect(await storage.findFaults()).toEqual([]);
  });

  it("lose none of 20 updates of one record", async () => {
    await using storage = await open();
    const accountId = await createTestAccount(storage);
    await storage.websites.create(accountId, newWebsite("a.example"));
    const add = (index: number) =>
      storage.either(index).update(accountId, 1, ({ website: { exclude_params } }) => ({
        exclude_params: [...exclude_params, `p${index}`],
      }));
    await Promise.all(twenty.map(add));
    const found = await storage.websites.get(accountId, 1);
    expect(found?.version).toBe(21);
    expect(new Set(found?.website.exclude_params)).toEqual(new Set(twenty.map((index) => `p${index}`)));
  });

  it("refuse no change, and make none, for what another process has changed since this one stored the record", async () => {
    await using storage = await open();
    const accountId = await createTestAccount(storage);
    const [here, there] = [storage.either(0), storage.either(1)];
    const requireVersion = (expected: number) => (current: VersionedWebsite) => {
      if (current.version !== expected) throw new Error(`The version is ${current.version}.`);
      return { privacy: 1 } as const;
    };
    await here.create(accountId, newWebsite("a.example"));
    const changed = await there.update(accountId, 1, () => ({ email: 1 }));
    await expect(here.update(accountId, 1, requireVersion(1))).rejects.toThrow("The version is 2.");
    await expect(here.delete(accountId, 1, requireVersion(1))).rejects.toThrow("The version is 2.");
    expect(await here.get(accountId, 1)).toEqual(changed);
    const again = await here.update(accountId, 1, requireVersion(2));
    expect(again).toMatchObject({ version: 3, website: { privacy: 1, email: 1 } });
    await there.update(accountId, 1, () => ({ email: 0 }));
    expect(await here.update(accountId, 1, requireVersion(4))).toMatchObject({ website: { privacy: 1, email: 0 } });
    await there.update(accountId, 1, () => ({ email: 1 }));
    expect(await here.delete(accountId, 1, requireVersion(5))).toBe(true);
  });

  it("answer with the newest record if nothing is to be changed, and change what another process has changed back", async () => {
    await using storage = await open();
    const accountId = await createTestAccount(storage);
    const [here, there] = [storage.either(0), storage.either(1)];
    await here.create(accountId, newWebsite("a.example"));
    await here.update(accountId, 1, () => ({ email: 1 }));
    const changed = await there.update(accountId, 1, () => ({ exclude_params: ["a"] }));
    expect(await here.update(accountId, 1, () => ({ email: 1 }))).toEqual(changed);
    await there.update(accountId, 1, () => ({ email: 0 }));
    const again = await here.update(accountId, 1, () => ({ email: 1 }));
    expect(again).toMatchObject({ version: 5, website: { email: 1, exclude_params: ["a"] } });
    expect(await there.get(accountId, 1)).toEqual(again);
  });

  it("find a record that this process has stored and another one has deleted no more", async () => {
    await using storage = await open();
    const accountId = await createTestAccount(storage);
    const [here, there] = [storage.either(0), storage.either(1)];
    for (const id of [1, 2, 3]) {
      await here.create(accountId, newWebsite(`site-${id}.example`));
      await there.delete(accountId, id);
    }
    expect(await here.update(accountId, 1, () => ({ email: 1 }))).toBeUndefined();
    expect(await here.update(accountId, 2, () => ({}))).toBeUndefined();
    expect(await here.delete(accountId, 3)).toBe(false);
  });
});

/** Returns undefined for an answer that the account is full or has the domain. Throws every other error. */
function readFailure(error: { failure?: { reason?: string } }): undefined {
  if (error.failure?.reason !== "domain-taken" && error.failure?.reason !== "website-limit-reached") throw error;
}
