import { Siteward } from "@siteward/sdk";
import { type Change, type Edit, type Outcome, readVersions, runChanges, type Update } from "@siteward/sdk/bulk";
import { createFakeSiteward } from "@siteward/sdk/testing";
import { expect, test } from "vitest";
import { describeLost, Journal, toUndo } from "./journal.ts";
import type { Batch, browserStore, Doing } from "./journal-store.ts";

const page = new EventTarget();
const [addEventListener, removeEventListener] = [page.addEventListener.bind(page), page.removeEventListener.bind(page)];
Object.assign(globalThis, { addEventListener, removeEventListener });

const made = { verb: "changed", title: "Statistics: Public" } as const;
const update = (id: number, edit: Edit = {}) => ({ action: "update", id, domain: `w${id}.example`, edit }) as const;
const changed = (id: number): Outcome => ({
  ...{ change: update(id), state: "changed", fields: { email: 1 }, before: { email: 0 }, now: { tag: `"${id}"` } },
});
const record = async (journal: Journal, count: number, entry?: number, account = "1") => {
  const { add, end } = journal.begin(account, { ...made, entry });
  for (let id = 1; id <= count; id += 1) add(changed(id));
  return await end().then(() => journal.read(account));
};

/** Three websites, of which two have a password, and a store that keeps what a browser would keep: copies. */
async function start() {
  const lost = { privacy: 2, password: "correct horse" } as const;
  const websites = [lost, lost, { privacy: 1 } as const].map((one, at) => ({ ...one, domain: `w${at + 1}.example` }));
  const fake = createFakeSiteward({ websites });
  const siteward = new Siteward(fake.clientOptions);
  const batches: Batch[] = [];
  const store: typeof browserStore = {
    add: async (batch) => batches.push(structuredClone(batch)),
    all: async (account) => batches.filter((batch) => batch.account === account),
    drop: async (account, last = Number.POSITIVE_INFINITY) =>
      batches.splice(0, batches.length, ...batches.filter((one) => one.account !== account || one.entry > last)),
  };
  const journal = new Journal(store);
  const run = async (doing: Doing, changes: readonly Update[], by = journal): Promise<Partial<Batch>> => {
    const { add, end } = by.begin("1", doing);
    await runChanges(siteward, changes, { onOutcome: add });
    await end();
    return (await by.read("1")).find(({ entry }) => entry === (doing.entry ?? entry)) ?? {};
  };
  const edit = (edit: Edit) => run(made, [update(1, edit), update(2, edit), update(3, edit)]);
  /** As the screen does it. */
  const undo = async ({ entry, steps = [] }: Partial<Batch>, by = journal) => {
    const { versions } = await readVersions(siteward, "all");
    return await run({ ...made, verb: "restored", entry }, toUndo(steps, versions).changes, by);
  };
  return { fake, siteward, batches, store, journal, edit, undo };
}
const undoOf = ({ steps = [] }: Partial<Batch> = {}) => toUndo(steps);
const textsOf = ({ steps = [] }: Partial<Batch> = {}) => steps.map(({ text }) => text);

test("an undo makes websites Private whose password is lost, and leaves alone what others changed", async () => {
  const { fake, siteward, edit, undo } = await start();
  const entry = await edit({ set: { privacy: 0, email: 1 } });
  expect(describeLost(undoOf(entry))).toMatch(/^2 passwords .*With Undo, those websites become Private\.$/);
  await siteward.websites.update(2, { email: 0 });
  await siteward.websites.update(3, { exclude_bots: 0 });
  const [undone, others] = [await undo(entry), expect.stringContaining("was changed by somebody else")];
  expect([textsOf(undone), undoOf(undone).changes]).toEqual([["made private", others, "undone"], []]);
  expect(fake.websites.map((one) => `${one.privacy}${one.email}${one.exclude_bots}`)).toEqual(["101", "001", "100"]);
});

test("changes of the same websites are taken back one after the other, also by two tabs at once", async () => {
  const { fake, siteward, store, journal, edit, undo } = await start();
  const first = await edit({ set: { email: 1 } });
  const second = await edit({ add: { exclude_params: ["utm_*"] } });
  const other = new Journal(store);
  for (const entry of [second, first]) await Promise.all([undo(entry), undo(entry, other)]);
  expect(fake.websites.map((one) => [one.email, one.exclude_params])).toEqual(Array(3).fill([0, []]));
  await siteward.websites.update(1, { exclude_params: ["fbclid"] });
  await undo(second, other);
  expect(fake.websites[0]?.exclude_params).toEqual(["fbclid"]);
  expect((await journal.read("1")).flatMap(textsOf)).toEqual(Array(6).fill("undone"));
});

test("no password is stored, also of a refused change, and undo knows that there was one", async () => {
  const { batches, edit } = await start();
  const undo = undoOf(await edit({ set: { privacy: 2, password: "battery staple" } }));
  expect(undo.changes).toEqual([{ ...update(3, { set: { privacy: 1 } }), only: { tag: expect.stringMatching(/./) } }]);
  expect(describeLost(undo)).toBe("2 passwords cannot come back.");
  expect((await edit({ set: { password: "short" } })).steps?.map(({ state }) => state)).toEqual(
    Array(3).fill("refused"),
  );
  expect(JSON.stringify(batches)).not.toMatch(/battery staple|correct horse|"short"/);
});

test("what was to be deleted and is gone is written down too, since its own answer may have been lost", async () => {
  const { siteward, journal } = await start();
  await siteward.websites.delete(2);
  const { add, end } = journal.begin("1", { verb: "deleted", title: "Deleted" });
  const deletions = [1, 2].map((id): Change => ({ action: "delete", id, domain: `w${id}.example` }));
  await runChanges(siteward, deletions, { onOutcome: add, acceptsMissing: true });
  await end();
  expect((await journal.read("1")).map(textsOf)).toEqual([["", "w2.example does not exist any more."]]);
});

test("a page that closes has written what was done, and what is left of a run goes into its entry", async () => {
  const { batches, journal } = await start();
  const { entry, add } = journal.begin("1", made);
  const counts = () => batches.map(({ steps }) => steps.length);
  for (let id = 1; id < 450; id += 1) add(changed(id));
  add({ ...changed(450), state: "failed", error: new Error("The server is away.") });
  page.dispatchEvent(new Event("pagehide"));
  expect(counts()).toEqual([1, 449]);
  expect((await journal.read("1")).flatMap(textsOf)).toContain("w450.example: The server is away.");
  journal.begin("1", { ...made, entry }).add(changed(450));
  await expect.poll(counts).toEqual([1, 449, 1]);
  expect((await journal.read("1")).flatMap(textsOf)).toEqual(Array(450).fill(""));
});

test("a browser that refuses loses nothing until the page closes, and says so", async () => {
  const refuse = () => Promise.reject(new Error("QuotaExceededError"));
  const journal = new Journal({ add: refuse, all: refuse, drop: refuse });
  const [entry] = await record(journal, 300);
  expect([undoOf(entry).changes.length, journal.isKept]).toEqual([300, false]);
  await expect(journal.forget("1")).rejects.toThrow("QuotaExceededError");
  expect(await journal.read("1")).toEqual([]);
});

test("the oldest entries go, never the newest, and of a forgotten journal nothing is left", async () => {
  const { batches, store } = await start();
  // A copy of each would take a second.
  const journal = new Journal({ ...store, add: async (batch) => batches.push(batch) });
  const kept = () => [...new Set(batches.map(({ entry }) => entry))];
  for (let entry = 1; entry <= 201; entry += 1) await record(journal, 1, entry);
  expect(kept()).toEqual(Array.from({ length: 200 }, (_, at) => at + 2));
  expect(await record(journal, 49_990, 202)).toHaveLength(11);
  await record(journal, 50_001, 203);
  expect(kept()).toEqual([203]);
  await record(journal, 1, 1, "2");
  await journal.forget("1");
  expect(batches.map(({ account }) => account)).toEqual(["2"]);
});
