import { describe, expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { explainSqlite, useNoted } from "../../../test/support/storage/explain.ts";
import { fillAuditTrail, pagesOf } from "../../../test/support/storage/fill-audit-trail.ts";

const after = { at: 1_500_000, subject: "website", subject_id: 1, version: 4 } as const;
const pages = pagesOf(after);
const account = /USING PRIMARY KEY \(account_id=\?/;
const oneEntry = "SEARCH entry USING PRIMARY KEY (account_id=? AND at=? AND subject=? AND subject_id=? AND version=?)";

// Without statistics, SQLite plans by which indexes there are, not by how many rows.
describe("SQLite with 5,000 entries in the trail of an account", () => {
  const noted = useNoted(engines.sqlite, (database) => fillAuditTrail(database, [100, 5_000, 100]));

  it.each(pages.account)("reads %s as one range of an index, without a sort: %j", async (_, request) => {
    const plan = await explain(() => noted().audit.list(2, { limit: 10, ...request }));
    expect(plan.length).toBeGreaterThan(0);
    for (const step of plan) expect(step).toMatch(account);
    if (request.after !== undefined) expect(plan.join()).toMatch(/\(at,(?:subject,subject_id,)?version\)<\(/);
    // A filtered page of a long trail ends with a place, and reads no older entries.
    if (plan.length > 1) expect(plan.at(-1)).toMatch(/\(at,(?:subject,subject_id,)?version\)>\(/);
  });

  it.each(pages.website)("reads %s entry by entry, each by its key: %j", async (_, request) => {
    const plan = await explain(() => noted().audit.list(2, { limit: 10, ...request }));
    const searches = plan.filter((step) => /SEARCH (?!entry)|SCAN (?!history)/.test(step));
    const newest = [
      "SEARCH websites USING PRIMARY KEY (account_id=? AND id=?)",
      "SEARCH audit_entries USING COVERING INDEX audit_entries_deleted_websites (account_id=? AND subject_id=?)",
    ];
    expect(searches).toEqual(request.after === undefined ? newest : []);
    const steps = plan.filter((step) => step === oneEntry || step === "SCAN history");
    // The first entry, then again and again the one before it, and at last their order.
    expect(steps).toEqual([oneEntry, "SCAN history", oneEntry, "SCAN history"]);
  });

  it("reads the changes since a position by its index, with their websites by their key, and if there are none only the account", async () => {
    const { changes } = noted().websites;
    const account = "SEARCH accounts USING INTEGER PRIMARY KEY (rowid=?)";
    const plan = await explain(() => changes(2, { since: { number: 1_500, at: 1_499_000 }, perPage: 10 }));
    const search = (text: string) => expect.stringContaining(text);
    expect(plan.filter((step) => step.startsWith("SEARCH"))).toEqual([
      account,
      account,
      search("SEARCH audit_entries USING COVERING INDEX audit_entries_by_position (account_id=? AND position>?)"),
      search("SEARCH websites USING PRIMARY KEY (account_id=? AND id=?)"),
      search("SEARCH audit_entries USING COVERING INDEX audit_entries_by_position (account_id=? AND position=?)"),
    ]);
    const quiet = await explain(() => changes(2, { since: { number: 5_000, at: 4_999_000 }, perPage: 10 }));
    expect(quiet).toEqual([account]);
  });

  it("finds what is expired with one search of each index for an account", async () => {
    const { findExpired } = noted().retention;
    const plan = await explain(() => findExpired({ afterAccountId: 1, auditRetentionMs: 0 }));
    expect(plan.filter((step) => !step.startsWith("CORRELATED"))).toEqual([
      expect.stringMatching(/^SEARCH accounts USING INTEGER PRIMARY KEY \(rowid>\?\)/),
      expect.stringMatching(/^SEARCH audit_entries USING PRIMARY KEY \(account_id=\?\)/),
      expect.stringMatching(
        /^SEARCH idempotency_keys USING (COVERING )?INDEX idempotency_keys_by_age \(account_id=\?\)/,
      ),
    ]);
  });

  it("deletes what is expired by the primary key", async () => {
    // Entries are deleted once no outcome is expired.
    await noted().place.execute("delete from idempotency_keys where account_id = 2");
    const plan = await explain(() => noted().retention.deleteExpired(2, 0));
    const search = (text: string) => expect.stringContaining(text);
    expect(plan.filter((step) => !step.startsWith("LIST"))).toEqual([
      search("SEARCH idempotency_keys USING PRIMARY KEY (account_id=? AND key=?)"),
      search("INDEX idempotency_keys_by_age (account_id=? AND created_at<?)"),
      search(
        "SEARCH audit_entries USING PRIMARY KEY (account_id=? AND at=? AND subject=? AND subject_id=? AND version=?)",
      ),
      search("SEARCH audit_entries USING PRIMARY KEY (account_id=? AND at<?)"),
    ]);
  });

  function explain(work: () => Promise<unknown>): Promise<string[]> {
    return explainSqlite(noted(), work);
  }
});
