import { expect } from "vitest";
import { accountPath, type Caller, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

const lists = ["", "?page=2", "?search=b.ex", "?sort_by=domain&sort=asc"];

/** What a 304 means: nothing that the client has read has changed. */
export const unchanged: Guarantees = {
  "two pages of lists with the same entity tag are equal, after any change": async (caller) => {
    expect(await readSamePages([caller])).toBeGreaterThan(15);
  },
  "the entity tag of the account belongs to one key, and changes with the number of websites": async (caller) => {
    const tag = (await caller.get(accountPath)).header("ETag") ?? "";
    const again = (key = caller.key) => caller.call("GET", accountPath, { key, headers: { "If-None-Match": tag } });
    expect((await again()).status).toBe(304);
    expect((await again(caller.account.createApiKey())).status).toBe(200);
    await caller.createAll(["example.com"]);
    expect((await again()).account.websites.count).toBe(1);
  },
};

/**
 * Creates, updates and deletes websites, and reads pages of lists in between. Expects that two pages of a list with the same
 * entity tag are equal, also if they are of two accounts.
 *
 * @param callers with empty accounts. Websites are updated and deleted in the first
 * @returns how many different pages it has read
 */
export async function readSamePages(callers: readonly Caller[]): Promise<number> {
  const texts = new Map<string, string>();
  const readAll = async () => {
    for (const caller of callers) for (const list of lists) await readTwice(caller, list, texts);
  };
  await readAll();
  for (let count = 1; count <= 12; count += 1) {
    for (const [index, caller] of callers.entries()) {
      await caller.createAll([`${count}.${index === 0 ? "ab"[count % 2] : "b"}.example`]);
    }
    if (count <= 2 || count >= 10) await readAll();
  }
  for (const [method, id, json] of [
    ["PUT", 1, { email: 1 }],
    ["PUT", 2, { privacy: 1 }],
    ["PUT", 1, { email: 0 }],
    ["DELETE", 2, undefined],
    ["DELETE", 3, undefined],
  ] as const) {
    await callers[0]?.call(method, `${websites}/${id}`, json === undefined ? {} : { json });
    await readAll();
  }
  return texts.size;
}

async function readTwice(caller: Caller, list: string, texts: Map<string, string>): Promise<void> {
  const page = await caller.get(`${websites}${list}`);
  const tag = page.header("ETag") ?? "";
  expect(tag).toMatch(/^W\/"[^"]+"$/);
  const known = texts.get(`${list} ${tag}`) ?? page.text;
  expect(page.text).toBe(known);
  texts.set(`${list} ${tag}`, known);
  expect((await caller.get(`${websites}${list}`, { "If-None-Match": tag })).status).toBe(304);
}
