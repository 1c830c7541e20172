import { Siteward } from "@siteward/sdk";
import { type Edit, readVersions, runChanges, undoOf } from "@siteward/sdk/bulk";
import { createFakeSiteward } from "@siteward/sdk/testing";
import { expect, test } from "vitest";
import { advance, noWork, summarizeRun } from "./changes.ts";
import { isEmpty, preview, toUpdates } from "./edits.ts";

type FakeWebsites = NonNullable<Parameters<typeof createFakeSiteward>[0]>["websites"];
const changing = { verb: "changed", title: "" } as const;
const protectedBy = { privacy: 2, password: "correct horse" } as const;

async function start(websites: FakeWebsites) {
  const fake = createFakeSiteward({ websites });
  const siteward = new Siteward(fake.clientOptions);
  const { versions } = await readVersions(siteward, "all");
  const rows = Array.from(versions.values(), ({ website }) => website);
  const run = (edit: Edit) => runChanges(siteward, toUpdates(rows, edit));
  return { fake, siteward, rows, run, work: { ...noWork, picked: new Set(versions.keys()) } };
}

test("blank text is nothing to add", () => {
  expect(isEmpty({ set: {}, add: { exclude_ips: [" \n"] }, remove: { exclude_params: [] } })).toBe(true);
  expect(isEmpty({ add: { exclude_ips: ["192.0.2.1\n"] } })).toBe(false);
});

test("an address that a website has with /32 is no difference", async () => {
  const { rows } = await start([{ domain: "a.example", exclude_ips: ["192.0.2.1"] }, { domain: "b.example" }]);
  expect(preview(rows, { add: { exclude_ips: ["192.0.2.1/32"] } })).toMatchObject({
    differing: 1,
    exposed: { opened: [], passwords: [] },
  });
});

test("a website whose list is full is named, and does not stop the others", async () => {
  const exclude_params = Array.from({ length: 100 }, (_, at) => `p${at}`);
  const { run, work } = await start([
    { domain: "full.example", exclude_params },
    { domain: "a.example", exclude_ips: ["192.0.2.1"] },
    { domain: "b.example" },
  ]);
  const done = await run({ add: { exclude_params: ["more"] } });
  expect(summarizeRun(done, "changed")).toBe("2 websites changed. 1 refused.");
  const { complaints, picked } = advance(work, done, changing);
  expect(complaints).toMatchObject([expect.stringMatching(/^full.example: .*101 different entries/)]);
  expect([...picked]).toEqual([1]);
});

test("what is left of a run can be continued after another one, until that is done", async () => {
  const { siteward, rows, run, work } = await start([{ domain: "a.example" }, { domain: "b.example" }]);
  const stopped = { ...changing, entry: 1 };
  const rest = toUpdates(rows, { set: { email: 1 } });
  const left = advance(work, await runChanges(siteward, rest, { signal: AbortSignal.abort() }), stopped);
  const after = advance(left, await run({ set: { privacy: 1 } }), { ...changing, entry: 2 });
  expect(after).toMatchObject({ rest, doing: stopped });
  expect(advance(after, await runChanges(siteward, after.rest), stopped).rest).toEqual([]);
});

test("an undo names what others have changed since", async () => {
  const { fake, siteward, run, work } = await start([
    { domain: "a.example", ...protectedBy },
    { domain: "b.example", ...protectedBy },
    { domain: "c.example", privacy: 1 },
  ]);
  const changed = await run({ set: { privacy: 0 } });
  const undo = undoOf(changed.outcomes);
  await siteward.websites.update(2, { email: 1 });
  const undone = await runChanges(siteward, undo.changes);
  expect(summarizeRun(undone, "restored")).toBe("2 websites restored. 1 refused.");
  const { complaints } = advance(work, undone, changing);
  expect(complaints).toEqual(["b.example was changed by somebody else. Look at it."]);
  expect(fake.websites.map(({ privacy }) => privacy)).toEqual([1, 0, 1]);
});
