import { expect, test } from "vitest";
import { runChanges, undoOf } from "../../src/bulk/index.ts";
import type { Fetch } from "../../src/index.ts";
import { create, edits, statesOf, withPassword } from "./support/edits.ts";

test("an undo whose answer is lost is done, whatever others change then", async () => {
  const { fake, siteward } = create([{}]);
  const { changes } = undoOf((await runChanges(siteward, edits([1], { set: { privacy: 1, email: 1 } }))).outcomes);
  const only = changes.map((change) => ({ ...change, only: { tag: change.only?.tag ?? "" } }));
  let isFirst = true;
  const fetch: Fetch = async (url, init) => {
    const response = await fake.fetch(url, init);
    if (init.method !== "PUT" || !isFirst) return response;
    isFirst = false;
    await siteward.websites.update(1, { email: 1 });
    throw new TypeError("fetch failed");
  };
  expect(statesOf((await runChanges(siteward.withOptions({ fetch }), only)).outcomes)).toEqual(["changed"]);
  expect(fake.websites).toMatchObject([{ privacy: 0, email: 1 }]);
});

test("an undo that makes websites public again is asked for, too", async () => {
  const { siteward } = create([{}]);
  const done = await runChanges(siteward, edits([1], { set: { privacy: 1 } }));
  const { end } = await runChanges(siteward, undoOf(done.outcomes).changes, {
    consent: ({ opened }) => opened.length === 0,
  });
  expect(end).toBe("declined");
});

test("an undo says which passwords, creates and deletes stay", async () => {
  const { siteward } = create([withPassword, {}]);
  const done = await runChanges(siteward, [
    ...edits([1], { set: { password: "another horse", email: 1 } }),
    { action: "create", domain: "new.example", set: {} },
    { action: "delete", id: 2, domain: "site2.example" },
  ]);
  const { changes, impossible } = undoOf(done.outcomes);
  expect(impossible).toEqual(["site1.example", "new.example", "site2.example"]);
  expect(changes).toMatchObject([{ id: 1, edit: { set: { email: 0 } } }]);
});
