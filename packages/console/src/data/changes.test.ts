import { Siteward } from "@siteward/sdk";
import { runChanges } from "@siteward/sdk/bulk";
import { createFakeSiteward } from "@siteward/sdk/testing";
import { expect, test } from "vitest";
import { advance, noWork } from "./changes.ts";
import { isEmpty, toUpdates } from "./edits.ts";

test("blank text is nothing to add", () => {
  expect(isEmpty({ set: {}, add: { exclude_ips: [" \n"] }, remove: { exclude_params: [] } })).toBe(true);
  expect(isEmpty({ add: { exclude_ips: ["192.0.2.1\n"] } })).toBe(false);
});

test("what is left of a run can be continued after another one, until that is done", async () => {
  const fake = createFakeSiteward({ websites: [{ domain: "a.example" }, { domain: "b.example" }] });
  const siteward = new Siteward(fake.clientOptions);
  const doing = { verb: "changed", title: "" } as const;
  const [first, second] = [
    { ...doing, entry: 1 },
    { ...doing, entry: 2 },
  ] as const;
  const rest = toUpdates(fake.websites, { set: { email: 1 } });
  const left = advance(noWork, await runChanges(siteward, rest, { signal: AbortSignal.abort() }), first);
  const after = advance(left, await runChanges(siteward, toUpdates(fake.websites, { set: { privacy: 1 } })), second);
  expect(after).toMatchObject({ rest, doing: first });
  expect(advance(after, await runChanges(siteward, after.rest), first).rest).toEqual([]);
});
