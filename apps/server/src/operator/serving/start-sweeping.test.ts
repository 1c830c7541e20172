import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { describeOnEveryEngine } from "../../../test/support/engines.ts";
import { fillTrailOf } from "../../../test/support/storage/fill-audit-trail.ts";
import { readAuditTrail } from "../../../test/support/storage/read-audit-trail.ts";
import { newWebsite, openTestStorage } from "../../../test/support/storage.ts";
import { startSweeping } from "./start-sweeping.ts";

const hourMs = 3_600_000;
const quick = { pauses: { sweepMs: 10, retryMs: 10, callMs: 1 } };
const noFailure = (error: unknown) => {
  throw error;
};

describeOnEveryEngine("a sweep", (engine) => {
  it("deletes the entries past their retention and the outcomes past 24 hours of every account, and no others", async () => {
    const nowMs = 100 * hourMs;
    await using storage = await openTestStorage(engine, { now: () => nowMs });
    // More accounts than one read checks. The trails of two are longer than what one statement deletes.
    const counts = Array.from({ length: 120 }, (_, index) => (index % 60 === 59 ? 250 : 0));
    await fillTrailOf(storage.database.databaseUrl, counts);
    const idempotency = { key: "kept", fingerprint: "f" };
    await storage.websites.create(60, newWebsite("a.example"), { idempotency });
    const readTimes = async (accountId: number) =>
      (await readAuditTrail(storage.audit, accountId))
        .filter(({ action }) => action === "website.updated")
        .map(({ at }) => at / 1_000)
        .toReversed();
    const all = await readTimes(120);
    while (await storage.retention.deleteExpired(120, Number.POSITIVE_INFINITY));
    expect(await readTimes(120)).toEqual(all);
    const { retention } = storage;
    const stopSweeping = startSweeping({
      ...quick,
      retention,
      auditRetentionMs: nowMs - 230_000,
      onFailure: noFailure,
    });
    const kept = Array.from({ length: 20 }, (_, index) => index + 230);
    await expect.poll(() => readTimes(120)).toEqual(kept);
    await stopSweeping();
    expect(await readTimes(60)).toEqual(kept);
    expect(await storage.database.execute("select key from idempotency_keys")).toEqual([{ key: "kept" }]);
    const trail = await readAuditTrail(storage.audit, 60);
    expect(trail.filter(({ action }) => action === "website.created")).toHaveLength(1);
  });

  it("that fails says so once, and goes on when the database answers again", async () => {
    await using storage = await openTestStorage(engine);
    await fillTrailOf(storage.database.databaseUrl, [5]);
    await storage.database.execute("alter table audit_entries rename to away");
    const failures: unknown[] = [];
    let calls = 0;
    const findExpired: typeof storage.retention.findExpired = (request) => {
      calls += 1;
      return storage.retention.findExpired(request);
    };
    const retention = { ...storage.retention, findExpired };
    const onFailure = (error: unknown) => failures.push(error);
    const stopSweeping = startSweeping({ ...quick, retention, auditRetentionMs: hourMs, onFailure });
    await expect.poll(() => calls).toBeGreaterThan(3);
    expect(failures).toEqual([expect.any(Error)]);
    await storage.database.execute("alter table away rename to audit_entries");
    await expect.poll(() => readAuditTrail(storage.audit, 1).then(({ length }) => length)).toBe(0);
    await stopSweeping();
    const callsAtStop = calls;
    expect(failures).toHaveLength(1);
    await sleep(50);
    expect(calls).toBe(callsAtStop);
  });
});
