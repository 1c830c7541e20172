import { expect, it } from "vitest";
import { describeOnEveryEngine } from "../../../test/support/engines.ts";
import { collectPlan } from "../../../test/support/storage/collect-plan.ts";
import { readAuditTrail } from "../../../test/support/storage/read-audit-trail.ts";
import { readInstallation } from "../../../test/support/storage/read-installation.ts";
import { readSchema } from "../../../test/support/storage/read-schema.ts";
import { openWithTestAuthor } from "../../../test/support/storage/with-test-author.ts";
import type { TestDatabase } from "../../../test/support/test-database.ts";
import { fillVersion5 } from "../../../test/support/version-5/fill-version-5.ts";
import { openStorage } from "../open-storage.ts";
import { migrations } from "./migrations.ts";

const accountId = 2;
const websiteCount = 20;
const updates = 6;
/** Retention has deleted all entries before. */
const oldestKept = 1_000;

describeOnEveryEngine("the migration that links the entries of a website", (engine) => {
  it("stores in each entry the time of the one before it, and the trail of every website is complete", async () => {
    await using place = await engine();
    await fillOlder(place);
    const storage = await openWithTestAuthor(place);
    const { auditEntries } = await readInstallation(place.databaseUrl);
    const ofAccount = auditEntries.filter((entry) => entry.account_id === accountId);
    for (const entry of ofAccount) {
      const { subject, subject_id: id, version } = entry;
      const isBefore = (other: typeof entry) => other.subject_id === id && other.version === version - 1;
      const before = ofAccount.find((other) => other.subject === "website" && isBefore(other));
      const isFirst = subject !== "website" || version === 1;
      expect([id, version, entry.previous_at]).toEqual([id, version, isFirst ? null : (before?.at ?? 0)]);
    }
    const all = await readAuditTrail(storage.audit, accountId);
    for (let id = 1; id <= websiteCount; id += 1) {
      const trail = await readAuditTrail(storage.audit, accountId, { websiteIds: [id] });
      expect(trail).toEqual(all.filter(({ subject, subjectId }) => subject === "website" && subjectId === id));
      expect(trail.length).toBeGreaterThan(2);
    }
    await storage.websites.update(accountId, 2, () => ({ privacy: 1 }));
    expect(await storage.websites.delete(accountId, 2)).toBe(true);
    const trail = await readAuditTrail(storage.audit, accountId, { websiteIds: [2] });
    expect(trail.map(({ version }) => version)).toEqual([9, 8, 7, 6, 5, 4]);
    await storage.close();
    expect(await place.findFaults()).toEqual([]);
  });

  it("takes no longer for a website whose changes all have one time, because a clock was set back", async () => {
    await using place = await engine();
    await fillVersion5(place);
    const versions = Array.from({ length: 12_000 }, (_, index) => index + 1);
    const rows = versions.map((version) => toEntry({ id: 1, version, action: "updated", at: 1_000 }));
    await place.execute(`insert into audit_entries values ${rows.join()}`);
    const startMs = performance.now();
    await (await openStorage(place)).close();
    // It takes 0.2 to 0.8 s, and took 5 s on SQLite, whose time grew with the square.
    expect(performance.now() - startMs).toBeLessThan(3_000);
    const { auditEntries } = await readInstallation(place.databaseUrl);
    const times = auditEntries.filter(({ account_id: id }) => id === accountId).map((entry) => entry.previous_at);
    expect(times).toEqual(versions.map((version) => (version === 1 ? null : 1_000)));
  });

  it("has a plan that contains its statements: run by hand, they have the same result", async () => {
    await using place = await engine();
    await using byHand = await engine();
    for (const database of [place, byHand]) await fillOlder(database);
    const now = () => 0;
    const { steps } = await collectPlan({ ...byHand, now }, migrations);
    expect(steps.map(({ title }) => title)).toContain("version 8: trail-links");
    const statements = steps.flatMap((step) => step.statements);
    await byHand.execute(["begin", ...statements, "commit", ""].join(";\n"));
    await (await openStorage({ ...place, now })).close();
    expect(await readInstallation(byHand.databaseUrl)).toEqual(await readInstallation(place.databaseUrl));
    expect(await readSchema(byHand.databaseUrl)).toEqual(await readSchema(place.databaseUrl));
  });
});

/** Adds an account to a database at version 5, with websites whose changes were made in turn. Each tenth website is deleted. */
async function fillOlder(place: TestDatabase): Promise<void> {
  await fillVersion5(place);
  const numbers = Array.from({ length: websiteCount * (updates + 1) }, (_, index) => index);
  const entries = numbers.map((number) => {
    const [id, version] = [(number % websiteCount) + 1, Math.floor(number / websiteCount) + 1];
    const isDeleted = id % 10 === 0 && version === updates + 1;
    const action = version === 1 ? "created" : isDeleted ? "deleted" : "updated";
    return { id, version, action, at: toTime(number) };
  });
  const kept = entries.filter(({ at }) => at >= oldestKept);
  const rows = kept.map(toEntry);
  // The same number as that of a website.
  rows.push(`(${accountId}, 1500, 'api_key', 2, 2, 'api_key.updated', null, 'ada', null, '{}')`);
  const newest = entries.filter(({ version, action }) => version === updates + 1 && action !== "deleted");
  const websites = newest.map(
    ({ id, version, at }) => `(${accountId}, ${id}, '${id}.example', 0, null, 0, 0, '[]', '[]', ${version}, 0, ${at})`,
  );
  await place.execute(`insert into accounts (id, name, email, website_count, website_limit, last_website_id,
      last_website_created_at, created_at, updated_at)
    values (${accountId}, 'Acme', 'a@acme.example', ${websites.length}, null, ${websiteCount}, 0, 0, 0);
    insert into audit_entries values ${rows.join()};
    insert into websites values ${websites.join()}`);
}

function toEntry({ id, version, action, at }: { id: number; version: number; action: string; at: number }): string {
  return `(${accountId}, ${at}, 'website', ${id}, ${version}, 'website.${action}', 'swk_Ab3dEf9h', null, null, '{}')`;
}

/** Several changes of a website are made at the same time. */
function toTime(number: number): number {
  return 500 + Math.floor(number / 60) * 600;
}
