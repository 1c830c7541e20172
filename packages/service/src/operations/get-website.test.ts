import { expect, it } from "vitest";
import type { Conditions } from "../conditions/judge-conditions.ts";
import { MemoryStorage } from "../memory/memory-storage.ts";
import type { NewWebsite } from "../storage.ts";
import { getWebsite } from "./get-website.ts";

const by = { apiKey: "swk_Ab3dEf9h", operator: null, requestId: null };
const lists = { exclude_params: [], exclude_ips: [] };
const settings = { privacy: 0, email: 0, exclude_bots: 1, ...lists } as const;

it("A client that has a website gets a 304 without a read of the record, and else the record that is then stored", async () => {
  const storage = new MemoryStorage(() => 0);
  const { id: accountId } = storage.createAccount({ name: "A", email: "a@a.example", websiteLimit: null }).stored;
  const website: NewWebsite = { domain: "a.example", passwordHash: null, ...settings };
  await storage.websites.create(accountId, website, { by, idempotency: undefined });
  const reads: string[] = [];
  const { get, getUnless } = storage.websites;
  const websites = {
    ...storage.websites,
    get(...place: Parameters<typeof get>) {
      reads.push("record");
      return get(...place);
    },
    getUnless(...place: Parameters<typeof getUnless>) {
      reads.push(`unless ${place[2]}`);
      return getUnless(...place);
    },
  };
  const read = async (conditions: Partial<Conditions> | undefined, id = 1) => {
    reads.length = 0;
    const all = conditions && { isRead: true, ifMatch: undefined, ifNoneMatch: undefined, ...conditions };
    const call = { principal: { accountId }, params: { id }, conditions: all };
    // The casts are safe: the operation uses nothing else.
    const answer = await getWebsite(call as never, { storage: { websites } } as never);
    return [answer.status, answer.headers?.["ETag"], ...reads];
  };
  expect(await read(undefined)).toEqual([200, '"1-1-1"', "record"]);
  expect(await read({ ifNoneMatch: ['"other"', 'W/"1-1-1"'] })).toEqual([304, '"1-1-1"', "unless 1"]);
  expect(await read({ ifNoneMatch: ['"1-1-2"'] })).toEqual([200, '"1-1-1"', "unless 2"]);
  // None of these is a tag of the website.
  for (const tag of ['"1-1-01"', '"1-2-1"', '"11-1-1"', '"1-1-"', '"1-1-9007199254740993"']) {
    expect(await read({ ifNoneMatch: [tag] })).toEqual([200, '"1-1-1"', "record"]);
  }
  // As long as a header can be. To find its version must not take longer than to read it: each took 70 ms.
  const startMs = performance.now();
  for (let count = 0; count < 20; count += 1) await read({ ifNoneMatch: [`"${"1".repeat(15_000)}x"`] });
  expect(performance.now() - startMs).toBeLessThan(500);
  expect(await read({ ifNoneMatch: "*" })).toEqual([304, '"1-1-1"', "record"]);
  const both = { ifMatch: ['"1-1-2"'], ifNoneMatch: ['"1-1-1"'] };
  await expect(read(both)).rejects.toMatchObject({ code: "precondition_failed" });
  await expect(read({ ifNoneMatch: ['"1-2-1"'] }, 2)).rejects.toMatchObject({ code: "not_found" });
  await storage.websites.update(accountId, 1, () => ({ email: 1 }), by);
  expect(await read({ ifNoneMatch: ['"1-1-1"', '"1-1-2"'] })).toEqual([304, '"1-1-2"', "unless 1"]);
});
