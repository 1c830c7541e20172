import { expect, test } from "vitest";
import { website } from "../../test/support/website.ts";
import { WebsiteState } from "./state.ts";

test("an older version of a website changes nothing", () => {
  const state = new WebsiteState();
  const newer = website(7, { email: 1, updated_at: "2026-11-20T10:00:01.000Z" });
  state.put(newer);
  expect(state.put(website(7, { updated_at: "2026-11-20T10:00:00.999Z" }))).toBeUndefined();
  expect(state.byId.get(7)?.email).toBe(1);
});

test("of two versions with the same time, the later answer counts, and the same one changes nothing", () => {
  const state = new WebsiteState();
  const [first, second] = [website(7), website(7, { email: 1 })];
  state.put(first);
  expect(state.put(second)).toEqual({ kind: "updated", website: second, before: first });
  expect(state.put({ ...website(7), email: 1 })).toBeUndefined();
});

test.each([
  ["before", [7, 8]],
  ["after", [8, 7]],
])("a domain belongs to the website with the higher ID, also if that is told %s the other one", (_when, ids) => {
  const state = new WebsiteState();
  for (const id of ids) state.put(website(id, { domain: "example.com" }));
  expect(state.byDomain.get("example.com")?.id).toBe(8);
  state.delete(7);
  expect(state.byDomain.get("example.com")?.id).toBe(8);
  state.delete(8);
  expect([state.byDomain.get("example.com"), state.byId.size]).toEqual([undefined, 0]);
});
