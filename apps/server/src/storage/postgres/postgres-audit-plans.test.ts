import { describe, expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { explainPostgres, type Scan, totalRows, useNoted } from "../../../test/support/storage/explain.ts";
import { fillAuditTrail, pagesOf } from "../../../test/support/storage/fill-audit-trail.ts";
import { sql } from "../engine/statement.ts";

const after = { at: 30_000_000, subject: "website", subject_id: 1, version: 61 } as const;
const pages = pagesOf(after);
const key = "audit_entries_primary_key";

describe("PostgreSQL with 50,000 entries in the trail of an account", () => {
  const noted = useNoted(engines.postgres, (database) => fillAuditTrail(database, [5_000, 50_000, 5_000]));

  it.each(pages.account)("reads %s from an index, and no other entries: %j", async (_, request) => {
    const scans = await explain(() => noted().audit.list(2, { limit: 10, ...request }));
    for (const scan of scans) expect(scan).toMatchObject({ index: key });
    expect(totalRows(scans)).toBeLessThanOrEqual(request.apiKey === undefined ? 11 : 2_000);
  });

  const newest = ["audit_entries_deleted_websites", key, "websites_primary_key"];
  it.each(pages.website)("reads %s entry by entry, each by its key, and no others: %j", async (_, request) => {
    const scans = await explain(() => noted().audit.list(2, { limit: 10, ...request }));
    expect([...new Set(scans.map(({ index }) => index))].toSorted()).toEqual(
      request.after === undefined ? newest : [key],
    );
    // A page of 10 needs 11 entries, and the record or the position.
    expect(totalRows(scans)).toBeLessThanOrEqual(request.apiKey === undefined ? 12 : 61);
  });

  it("reads the changes since any position by the index of positions, and no other entries", async () => {
    const { changes } = noted().websites;
    for (const number of [0, 30_000, 49_995]) {
      const since = { number, at: number === 0 ? 0 : (number - 1) * 1_000 };
      const scans = await explain(() => changes(2, { since, perPage: 10 }));
      const entries = scans.filter(({ table }) => table === "audit_entries");
      for (const scan of entries) expect(scan).toMatchObject({ index: "audit_entries_by_position" });
      // Those of the page, and that at the position.
      expect(totalRows(entries)).toBeLessThanOrEqual(11);
    }
    expect(await explain(() => changes(2, { since: { number: 50_000, at: 49_999_000 }, perPage: 10 }))).toEqual([]);
  });

  it("finds what is expired with one row of each index for an account", async () => {
    const { findExpired } = noted().retention;
    const scans = await explain(() => findExpired({ afterAccountId: 1, auditRetentionMs: 0 }));
    expect(scans).toMatchObject([
      { table: "audit_entries", index: "audit_entries_primary_key", rows: 2 },
      { table: "idempotency_keys", index: "idempotency_keys_by_age", rows: 2 },
    ]);
  });

  it("deletes what is expired by indexes, and reads only what it deletes", async () => {
    const { deleteExpired } = noted().retention;
    // Explaining a statement in this way runs it once more, on the next rows.
    const outcomes = await explain(() => deleteExpired(2, 0));
    // Entries are deleted after all outcomes.
    await noted().database.writeOne(sql`delete from idempotency_keys where account_id = 2`);
    const scans = [...outcomes, ...(await explain(() => deleteExpired(2, 0)))];
    expect(new Set(scans.map(({ table }) => table))).toEqual(new Set(["idempotency_keys", "audit_entries"]));
    for (const scan of scans) expect(scan).toMatchObject({ index: expect.any(String) });
    expect(totalRows(scans)).toBeLessThanOrEqual(400);
  });

  function explain(work: () => Promise<unknown>): Promise<Scan[]> {
    return explainPostgres(noted(), work);
  }
});
