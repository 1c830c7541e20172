import type { WebsiteSettings } from "@siteward/contract/website-settings";
import type { Website } from "@siteward/sdk";
import { describe, expect, test } from "vitest";
import type { WebsiteEntry } from "../entries/website-entry.ts";
import { decide } from "./decide.ts";
import { importPolicy } from "./policy.ts";
import { splitDuplicates } from "./split-duplicates.ts";

function entry(settings: Partial<WebsiteSettings> = {}, number = 1): WebsiteEntry {
  return { place: { unit: "line", number }, domain: "a.example", settings };
}

function website(settings: Partial<Website> = {}): Website {
  const time = "2026-11-20T10:00:00.000Z";
  const defaults = { privacy: 0, email: 0, exclude_bots: 1, exclude_params: [], exclude_ips: [] } as const;
  const lists = { exclude_params: [], exclude_ips: [] };
  return {
    id: 7,
    domain: "a.example",
    has_password: false,
    ...defaults,
    ...lists,
    created_at: time,
    updated_at: time,
    ...settings,
  };
}

const password = { value: "correct horse" } as const;
const place = { unit: "line", number: 1 } as const;

describe("a domain that is new", () => {
  const situation = { existing: undefined, policy: importPolicy("skip") };

  test("is created with the settings that the file states", () => {
    const decision = decide(entry({ email: 1 }), situation);
    expect(decision).toEqual({ action: "create", place, domain: "a.example", settings: { email: 1 } });
  });

  test("is created with its password", () => {
    const decision = decide({ ...entry({ privacy: 2 }), password }, situation);
    expect(decision).toEqual({ action: "create", place, domain: "a.example", settings: { privacy: 2 }, password });
  });

  test.each([
    [{ privacy: 2 }, {}, undefined, "password is required if privacy is password; add password_env or password_file"],
    [
      {},
      { password },
      undefined,
      "password is not allowed if privacy is 0, because it would protect nothing; " +
        "send privacy 2 too, or omit the password",
    ],
    [
      { privacy: 2 },
      { password: { env: "X" } },
      "password_env: the environment variable X is not set",
      "password_env: the environment variable X is not set",
    ],
  ] as const)("is refused with %j and the password %j (%s)", (settings, given, passwordFault, reason) => {
    const decision = decide({ ...entry(settings), ...given }, { ...situation, passwordFault });
    expect(decision).toMatchObject({ action: "none", verdict: { outcome: "refused", id: undefined, reason } });
  });
});

describe("a domain that exists", () => {
  const policy = importPolicy("update");

  test.each([
    ["skip", "skipped"],
    ["fail", "refused"],
  ] as const)("is not touched with %s", (onConflict, outcome) => {
    const decision = decide(entry({ email: 1 }), { existing: website(), policy: importPolicy(onConflict) });
    expect(decision).toMatchObject({ action: "none", verdict: { outcome, id: 7, reason: "exists" } });
  });

  test("is updated if the file states something else", () => {
    const existing = website({ exclude_params: ["ref"], privacy: 1 });
    const stated = entry({ email: 1, exclude_params: ["ref"], exclude_ips: [] });
    const decision = decide(stated, { existing, policy });
    expect(decision).toEqual({
      action: "update",
      place,
      domain: "a.example",
      website: existing,
      settings: { email: 1 },
    });
  });

  test("is unchanged if it has what the file states, also a password", () => {
    const existing = website({ privacy: 2, has_password: true });
    const decision = decide(entry({ privacy: 2 }), { existing, policy });
    expect(decision).toMatchObject({ action: "none", verdict: { outcome: "unchanged", id: 7 } });
  });

  test("gets the password that the file names, since nobody can compare it", () => {
    const existing = website({ privacy: 2, has_password: true });
    const decision = decide({ ...entry({ privacy: 2 }), password }, { existing, policy });
    expect(decision).toMatchObject({ action: "update", website: existing, settings: {}, password });
  });
});

test("a domain that is in the file twice is skipped if both lines state the same, else refused", () => {
  const entries = [entry({ email: 1 }, 1), entry({ email: 1 }, 2), entry({ email: 0 }, 3)];
  expect(splitDuplicates(entries, [])).toEqual({
    unique: [entries[0]],
    repeated: [
      { place: { unit: "line", number: 2 }, domain: "a.example", outcome: "skipped", reason: "is also on line 1" },
      {
        place: { unit: "line", number: 3 },
        domain: "a.example",
        outcome: "refused",
        reason: "is also on line 1, with other settings; remove one of the two",
      },
    ],
  });
});
