import { describe, expect, test } from "vitest";
import type { TrailChange, TrailEntry } from "../src/trail/read-trail.ts";
import { replayTrail } from "../src/trail/replay-trail.ts";

const created = entry("website.created", 1, {
  domain: { from: null, to: "a.example" },
  exclude_params: { from: null, to: ["a", "b", "c"] },
});

describe("an audit trail that is replayed", () => {
  test("gives the websites with their settings, versions and times", () => {
    const { websites, breaches } = replayTrail([
      { ...created, subject: "api_key" },
      created,
      entry("website.updated", 2, { exclude_params: { from: ["a", "b", "c"], to: ["d"] }, password: "set" }),
    ]);
    expect([...websites.values()]).toEqual([
      {
        id: 7,
        version: 2,
        createdAt: 1,
        updatedAt: 2,
        hasPassword: true,
        settings: { domain: "a.example", exclude_params: ["d"] },
      },
    ]);
    expect(breaches).toEqual([]);
  });

  test.for<[TrailChange, string[]]>([
    [{ added: ["d", "e"], removed: ["b"] }, ["a", "c", "d", "e"]],
    [{ removed: ["a", "c"] }, ["b"]],
    [{ added: ["d", "e"], removed: ["b"], at: [0, 2] }, ["d", "a", "e", "c"]],
    [{ added: ["d"] }, ["a", "b", "c", "d"]],
  ])("reads a change of a list as what was added and removed: %j", ([change, after]) => {
    const { websites } = replayTrail([created, entry("website.updated", 2, { exclude_params: change })]);
    expect(websites.get(7)?.settings["exclude_params"]).toEqual(after);
  });

  test.for<[string, TrailEntry[]]>([
    ["a lost creation", [entry("website.updated", 2, {})]],
    ["a lost update", [created, entry("website.deleted", 3, {})]],
    ["an entry that comes twice", [created, created]],
    ["a change of another value", [created, entry("website.updated", 2, { domain: { from: "b.example", to: "c" } })]],
  ])("breaks its promise by %s", ([, entries]) => {
    expect(replayTrail(entries).breaches).toHaveLength(1);
  });
});

function entry(action: string, version: number, changes: TrailEntry["changes"]): TrailEntry {
  return { at: new Date(version).toISOString(), action, subject: "website", subject_id: 7, version, changes };
}
