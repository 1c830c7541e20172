import { websiteDefaults } from "@siteward/sdk/fields";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findFaults, rebase, type Settings, summarize, toDraft, toSettings } from "./settings.ts";

const list = (...entries: readonly string[]) => fc.array(fc.constantFrom(...entries), { maxLength: 6 }).map(unique);
const settings = fc.record<Settings>({
  privacy: fc.constantFrom(0, 1, 2),
  email: fc.constantFrom(0, 1),
  exclude_bots: fc.constantFrom(0, 1),
  exclude_ips: list("192.0.2.1", "192.0.2.2", "198.51.100.0/24", "2001:db8::/32"),
  exclude_params: list("utm_*", "gclid", "ref"),
});

test("rebase keeps each entry that one of us has added and none that one has removed, and my values where I changed them", () => {
  const check = (from: Settings, mine: Settings, theirs: Settings) => {
    const merged = rebase(from, mine, theirs);
    for (const field of ["exclude_ips", "exclude_params"] as const) {
      const all = unique([...from[field], ...mine[field], ...theirs[field]]);
      const isKept = (entry: string) => {
        const [isMine, isTheirs] = [mine[field].includes(entry), theirs[field].includes(entry)];
        return from[field].includes(entry) ? isMine && isTheirs : isMine || isTheirs;
      };
      expect(new Set(merged[field])).toEqual(new Set(all.filter(isKept)));
      expect(unique(merged[field])).toEqual(merged[field]);
    }
    for (const field of ["privacy", "email", "exclude_bots"] as const) {
      expect(merged[field]).toBe(mine[field] === from[field] ? theirs[field] : mine[field]);
    }
  };
  fc.assert(fc.property(settings, settings, settings, check));
});

test("a form that nobody has touched changes nothing, and what is described is what is sent", () => {
  fc.assert(
    fc.property(settings, settings, (from, to) => {
      expect(toSettings(toDraft(from))).toEqual(from);
      expect(summarize(inOrder(from), inOrder(from))).toEqual([]);
      const isSame = JSON.stringify(inOrder(from)) === JSON.stringify(inOrder(to));
      expect(summarize(from, to).length === 0).toBe(isSame);
    }),
  );
});

test("a password is asked for if none is stored, and one that was typed for another choice is not judged", () => {
  const draft = { ...toDraft(websiteDefaults), password: "short" };
  expect([findFaults(draft), findFaults({ ...draft, privacy: 2 })]).toEqual([
    undefined,
    { password: [expect.anything()] },
  ]);
  const empty = { ...draft, privacy: 2, password: "" } as const;
  expect([findFaults(empty), findFaults(empty, true)]).toEqual([{ password: [expect.anything()] }, undefined]);
});

function unique(entries: readonly string[]): string[] {
  return [...new Set(entries)];
}

/** The order of a list means nothing. */
function inOrder(one: Settings): Settings {
  return { ...one, exclude_ips: one.exclude_ips.toSorted(), exclude_params: one.exclude_params.toSorted() };
}
