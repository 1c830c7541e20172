import { describe, expect, test } from "vitest";
import type { AuditAction, AuditChanges } from "../../storage/interface/audit-store.ts";
import { toAuditRow } from "./audit-view.ts";

describe("the changes of a row", () => {
  test.for<[AuditAction, AuditChanges, string]>([
    ["account.created", { website_limit: { from: null, to: 500 } }, "website_limit 500"],
    ["account.updated", { website_limit: { from: 500, to: null } }, "website_limit 500 → unset"],
    ["api_key.updated", { rate_limit: { from: null, to: 9 } }, "rate_limit unset → 9"],
    [
      "api_key.rotated",
      { expires_at: { from: "a", to: "b" }, replaced_by: { from: null, to: "c" } },
      "expires_at a → b, replaced_by c",
    ],
    ["website.updated", { privacy: { from: 0, to: 2 }, password: "set" }, "privacy 0 → 2, password set"],
    [
      "website.updated",
      { exclude_params: { added: ["b"], removed: [], at: [1] }, exclude_ips: { added: ["::2"], removed: ["::1"] } },
      'exclude_params added ["b"], exclude_ips added ["::2"] removed ["::1"]',
    ],
    [
      "website.updated",
      { exclude_params: { from: ["a", "b"], to: ["b", "a"] } },
      'exclude_params ["a","b"] → ["b","a"]',
    ],
    ["website.deleted", { domain: { from: "example.com", to: null } }, "domain example.com"],
  ])("tell a value that was set from one that was removed: %s %j", ([action, changes, expected]) => {
    const by = { apiKey: null, operator: "root", requestId: null };
    const entry = { at: 0, subject: "account", subjectId: 1, version: 1, action, by, changes } as const;
    expect(toAuditRow(1, entry).at(-1)).toBe(expected);
  });
});
