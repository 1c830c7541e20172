import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AuditChanges } from "../interface/audit-store.ts";
import { describeChanges, readChanges } from "./audit-changes.ts";

const full = Array.from({ length: 500 }, (_, index) => `2001:db8:${index}::/48`);
const entries = fc.array(fc.constantFrom("a", "b", "c", "d", "e", "ü", 'quo"te'), { maxLength: 7 });

function describeList(before: readonly string[], after: readonly string[]): string {
  return describeChanges({ list: before }, { list: after });
}

describe("the change of a list", () => {
  it.each([
    [["a"], ["a", "b"], { added: ["b"], removed: [] }],
    [["a", "b"], ["b"], { added: [], removed: ["a"] }],
    [["a", "c"], ["a", "b", "c"], { added: ["b"], removed: [], at: [1] }],
    [["a", "b", "c"], ["x", "b", "y"], { added: ["x", "y"], removed: ["a", "c"], at: [0, 2] }],
    [["a", "b"], ["b", "a"], { from: ["a", "b"], to: ["b", "a"] }],
    [["a", "a"], ["a"], { from: ["a", "a"], to: ["a"] }],
  ])("from %j to %j is read as %j", (before, after, change) => {
    expect(readChanges(describeList(before, after))).toEqual({ list: change });
    // As earlier versions stored it.
    expect(readChanges(JSON.stringify({ list: [before, after] }))).toEqual({ list: change });
  });

  it("gives the list after it when it is applied to the one before, and never takes more than both lists", () => {
    fc.assert(
      fc.property(entries, entries, (before, after) => {
        const described = describeList(before, after);
        expect(described.length).toBeLessThanOrEqual(JSON.stringify({ list: [before, after] }).length);
        const { list } = readChanges(described);
        const applied = list === undefined || typeof list === "string" ? before : applyAudited(before, list);
        expect(applied).toEqual(after);
      }),
    );
  });

  it("takes as much as its entries, however long the list is", () => {
    expect(describeList(full, [...full, "203.0.113.7"])).toBe('{"list":{"+":["203.0.113.7"]}}');
    expect(describeList(full, full.toSpliced(250, 1))).toBe('{"list":{"-":["2001:db8:250::/48"]}}');
    expect(describeList(full, full.toSpliced(250, 0, "203.0.113.7"))).toBe('{"list":{"+":["203.0.113.7"],"@":[250]}}');
  });
});

it("the change of a value contains it before and after, and that of a secret only what happened to it", () => {
  const described = describeChanges({ name: "a", old: 1 }, { name: "b", fresh: 2 }, { password: "set" });
  expect(described).toBe('{"name":["a","b"],"fresh":[null,2],"old":[1,null],"password":"set"}');
  expect(readChanges(described)).toEqual({
    name: { from: "a", to: "b" },
    fresh: { from: null, to: 2 },
    old: { from: 1, to: null },
    password: "set",
  });
});

/** Returns a field after a change. */
function applyAudited(before: unknown, change: Exclude<AuditChanges[string], string>): unknown {
  if ("to" in change) return change.to;
  const { added, removed, at } = change;
  // The cast is safe: only the change of a list tells what was added to it.
  const after = (before as readonly unknown[]).filter((entry) => !removed.includes(entry));
  for (const [index, entry] of added.entries()) after.splice(at?.[index] ?? after.length, 0, entry);
  return after;
}
