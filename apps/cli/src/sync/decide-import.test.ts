import type { WebsiteSettings } from "@siteward/contract/website-settings";
import type { Website } from "@siteward/sdk";
import { describe, expect, test } from "vitest";
import type { WebsiteEntry } from "../entries/website-entry.ts";
import { decideImport } from "./decide-import.ts";
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

const password = { ok: true, value: "correct horse" } as const;

describe("a domain that is new", () => {
  test("is created with the settings that the file states", () => {
    const decision = decideImport(entry({ email: 1 }), {
      existing: undefined,
      onConflict: "skip",
      password: undefined,
    });
    expect(decision).toEqual({ action: "create", input: { domain: "a.example", email: 1 } });
  });

  test("is created with its password", () => {
    const decision = decideImport(entry({ privacy: 2 }), { existing: undefined, onConflict: "skip", password });
    expect(decision).toEqual({
      action: "create",
      input: { domain: "a.example", privacy: 2, password: "correct horse" },
    });
  });

  test.each([
    [{ privacy: 2 }, undefined, "password is required if privacy is password; add password_env or password_file"],
    [
      {},
      password,
      "password is not allowed if privacy is 0, because it would protect nothing; send privacy 2 too, or omit the password",
    ],
    [
      { privacy: 2 },
      { ok: false, reason: "password_env: the environment variable X is not set" },
      "password_env: the environment variable X is not set",
    ],
  ] as const)("is refused with %j and the password %j", (settings, given, reason) => {
    const decision = decideImport(entry(settings), { existing: undefined, onConflict: "skip", password: given });
    expect(decision).toEqual({ action: "none", verdict: { outcome: "refused", id: undefined, reason } });
  });
});

describe("a domain that exists", () => {
  test.each([
    ["skip", "skipped"],
    ["fail", "refused"],
  ] as const)("is not touched with %s", (onConflict, outcome) => {
    const decision = decideImport(entry({ email: 1 }), { existing: website(), onConflict, password: undefined });
    expect(decision).toEqual({ action: "none", verdict: { outcome, id: 7, reason: "exists" } });
  });

  test("is updated where the file states something else", () => {
    const existing = website({ exclude_params: ["ref"], privacy: 1 });
    const settings = { email: 1, exclude_params: ["ref"], exclude_ips: [] } as const;
    const decision = decideImport(entry({ ...settings, exclude_params: ["ref"], exclude_ips: [] }), {
      existing,
      onConflict: "update",
      password: undefined,
    });
    expect(decision).toEqual({ action: "update", id: 7, input: { email: 1 } });
  });

  test("is unchanged if it has what the file states, also a password", () => {
    const existing = website({ privacy: 2, has_password: true });
    const decision = decideImport(entry({ privacy: 2 }), { existing, onConflict: "update", password: undefined });
    expect(decision).toEqual({ action: "none", verdict: { outcome: "unchanged", id: 7 } });
  });

  test("gets the password that the file names, since nobody can compare it", () => {
    const existing = website({ privacy: 2, has_password: true });
    const decision = decideImport(entry({ privacy: 2 }), { existing, onConflict: "update", password });
    expect(decision).toEqual({ action: "update", id: 7, input: { password: "correct horse" } });
  });
});

test("a domain that is in the file twice is skipped if both lines state the same, else refused", () => {
  const entries = [entry({ email: 1 }, 1), entry({ email: 1 }, 2), entry({ email: 0 }, 3)];
  expect(splitDuplicates(entries)).toEqual({
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
