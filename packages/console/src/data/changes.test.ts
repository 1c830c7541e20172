import { Siteward } from "@siteward/sdk";
import { type Edit, readVersions, runChanges, undoOf } from "@siteward/sdk/bulk";
import { createFakeSiteward } from "@siteward/sdk/testing";
import { expect, test } from "vitest";
import {
  advance,
  countDiffering,
  faultsOf,
  isEmpty,
  noWork,
  stopAtFirstFault,
  summarize,
  toUpdates,
} from "./changes.ts";

type Websites = NonNullable<Parameters<typeof createFakeSiteward>[0]>["websites"];
const protectedBy = { privacy: 2, password: "correct horse" } as const;

async function start(websites: Websites) {
  const fake = createFakeSiteward({ websites });
  const siteward = new Siteward(fake.clientOptions);
  const { versions } = await readVersions(siteward, "all");
  const picked = [...versions.values()];
  const run = (edit: Edit) => runChanges(siteward, toUpdates(picked, edit), stopAtFirstFault());
  return { fake, siteward, picked, run, work: { ...noWork, picked: versions } };
}

test("blank text is nothing to add", () => {
  expect(isEmpty({ set: {}, add: { exclude_ips: [" \n"] }, remove: { exclude_params: [] } })).toBe(true);
  expect(isEmpty({ add: { exclude_ips: ["192.0.2.1\n"] } })).toBe(false);
});

test("an address that a website has with /32 is no difference", async () => {
  const { picked } = await start([{ domain: "a.example", exclude_ips: ["192.0.2.1"] }, { domain: "b.example" }]);
  expect(countDiffering(picked, { add: { exclude_ips: ["192.0.2.1/32"] } })).toBe(1);
});

test("a website whose list is full is named, and does not stop the others", async () => {
  const exclude_params = Array.from({ length: 100 }, (_, at) => `p${at}`);
  const { run, work } = await start([
    { domain: "full.example", exclude_params },
    { domain: "a.example", exclude_ips: ["192.0.2.1"] },
    { domain: "b.example" },
  ]);
  const done = await run({ add: { exclude_params: ["more"] } });
  expect([faultsOf(done), summarize(done, "changed")]).toEqual([undefined, "2 websites changed. 1 refused."]);
  const { complaints, picked } = advance(work, "changed", done, false);
  expect(complaints).toMatchObject([expect.stringMatching(/^full.example: .*101 different entries/)]);
  expect([...picked.keys()]).toEqual([1]);
});

test("an undo names the passwords that it could not restore, and what others have changed since", async () => {
  const { fake, siteward, run, work } = await start([
    { domain: "a.example", ...protectedBy },
    { domain: "b.example", ...protectedBy },
    { domain: "c.example", privacy: 1 },
  ]);
  const changed = advance(work, "changed", await run({ set: { privacy: 0 } }), false);
  const undo = undoOf(changed.made);
  await siteward.websites.update(2, { email: 1 });
  const undone = await runChanges(siteward, undo.changes);
  expect(summarize(undone, "restored", undo)).toBe(
    "2 websites restored. 1 refused. a.example: Private now, since the password is lost.",
  );
  const { complaints } = advance(changed, "restored", undone, false);
  expect(complaints).toEqual(["b.example was changed by somebody else. Look at it."]);
  expect(fake.websites.map(({ privacy }) => privacy)).toEqual([1, 0, 1]);
});

test("a password that is lost with a change to Private is named, whatever the website has become", async () => {
  const { siteward, run } = await start([{ domain: "a.example", ...protectedBy }, { domain: "b.example" }]);
  const undo = undoOf((await run({ set: { privacy: 1 } })).outcomes);
  const undone = await runChanges(siteward, undo.changes);
  expect(summarize(undone, "restored", undo)).toBe("1 website restored. a.example: the password is lost.");
});
