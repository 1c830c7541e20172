import { expect, test } from "vitest";
import { runChanges, undoOf } from "../../src/bulk/index.ts";
import type { Fetch } from "../../src/index.ts";
import { create, edits, statesOf, withPassword } from "./support/edits.ts";

test("an undo makes websites private whose password was deleted, and names them", async () => {
  const { fake, siteward } = create([withPassword, withPassword, { privacy: 1 }]);
  const done = await runChanges(siteward, edits([1, 2, 3], { set: { privacy: 0 } }));
  const undo = undoOf(done.outcomes);
  expect(undo.withoutPassword).toEqual(["site1.example", "site2.example"]);
  expect(statesOf((await runChanges(siteward, undo.changes)).outcomes)).toEqual(["changed", "changed", "changed"]);
  expect(fake.websites.map(({ privacy }) => privacy)).toEqual([1, 1, 1]);
});

test("an undo counts nothing that was not changed, and leaves alone what others have changed since", async () => {
  const { fake, siteward } = create([{ privacy: 1 }, {}, {}]);
  const done = await runChanges(siteward, edits([1, 2, 3], { set: { privacy: 1 } }));
  await siteward.websites.update(2, { email: 1 });
  const undone = await runChanges(siteward, undoOf(done.outcomes).changes);
  expect(undone.outcomes).toMatchObject([
    { change: { id: 2 }, state: "refused", reason: "changed" },
    { change: { id: 3 }, state: "changed" },
  ]);
  expect(fake.websites).toMatchObject([{ privacy: 1 }, { privacy: 1, email: 1 }, { privacy: 0 }]);
});

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
