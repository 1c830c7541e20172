import { setTimeout } from "node:timers/promises";
import type { Website } from "@siteward/contract";
import type { NewWebsite, WebsiteChange } from "@siteward/service";
import fc from "fast-check";
import { expect, it } from "vitest";
import { describeOnEveryDatabase } from "../../../test/support/engines.ts";
import { anySettings } from "../../../test/support/storage/any-settings.ts";
import { applyAudited } from "../../../test/support/storage/apply-audited.ts";
import { createTestAccount, newWebsite, openTestStorage } from "../../../test/support/storage/open-test-storage.ts";
import { readAuditTrail } from "../../../test/support/storage/read-audit-trail.ts";
import { openWithTestAuthor, type TestStorage } from "../../../test/support/storage/with-test-author.ts";
import type { AuditEntry } from "../interface/audit-store.ts";

type Change =
  | { readonly kind: "create"; readonly website: NewWebsite }
  | { readonly kind: "update"; readonly nth: number; readonly change: WebsiteChange }
  | { readonly kind: "delete"; readonly nth: number };

const since = 1_700_000_000_000;
const domains = fc.integer({ min: 1, max: 40 }).map((number) => `site-${number}.example`);
const nth = fc.nat({ max: 1_000 });
const anyChange: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("create"), website: fc.record({ domain: domains, ...anySettings }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("update"), nth, change: fc.record(anySettings, { requiredKeys: [] }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete"), nth }) },
);

describeOnEveryDatabase("the audit trail", (engine) => {
  it("of 1,000 random changes by three processes with wrong clocks gives the same records when it is replayed", async () => {
    const changes = fc.sample(anyChange, 1_000);
    const jumps = fc.sample(fc.integer({ min: -300, max: 300 }), 1_000);
    await using first = await openTestStorage(engine, { now: () => since + (jumps.pop() ?? 0) });
    const { databaseUrl } = first.database;
    const second = await openWithTestAuthor({ databaseUrl, now: () => since - 1_000 });
    // Far ahead, and it only deletes: otherwise its creations would set the time for all that follow.
    const third = await openWithTestAuthor({ databaseUrl, now: () => since + 100_000 - changes.length * 50 });
    const accountId = await createTestAccount(first);
    const ids: number[] = [];
    const creations = [first, second].map((storage) => applyAll(storage, { accountId, changes, ids }));
    const deletions = applyAll(third, { accountId, changes, ids, onlyDeletes: true });
    await Promise.all([...creations, deletions].flat());
    for (const name of ["x", "y", "z"]) await second.websites.create(accountId, newWebsite(`${name}.example`));
    const recorded = await readAuditTrail(first.audit, accountId);
    await Promise.all([second.close(), third.close()]);

    let now = 0;
    await using empty = await openTestStorage(engine, { now: () => now });
    const replayedId = await createTestAccount(empty);
    for (const entry of recorded.toReversed()) {
      now = entry.at;
      if (entry.subject === "website") await replay(empty, replayedId, entry);
    }
    const records = await readAll(first, accountId);
    expect(records.length).toBeGreaterThanOrEqual(3);
    expect(recorded.length).toBeGreaterThan(100);
    expect(await readAll(empty, replayedId)).toEqual(records);
    const replayed = await readAuditTrail(empty.audit, replayedId);
    expect(replayed.filter(isOfWebsite)).toEqual(recorded.filter(isOfWebsite));
  });

  it("has the deletion of a domain before its next creation, if that is made on a machine whose clock is behind", async () => {
    await using ahead = await openTestStorage(engine, { now: () => since + 60_000 });
    const behind = await openWithTestAuthor({ databaseUrl: ahead.database.databaseUrl, now: () => since });
    const accountId = await createTestAccount(ahead);
    await behind.websites.create(accountId, newWebsite("a.example"));
    await ahead.websites.delete(accountId, 1);
    await behind.websites.create(accountId, newWebsite("a.example"));
    await behind.close();
    const trail = (await readAuditTrail(ahead.audit, accountId)).filter(isOfWebsite);
    expect(trail.map(({ action, subjectId }) => [action, subjectId])).toEqual([
      ["website.created", 2],
      ["website.deleted", 1],
      ["website.created", 1],
    ]);
  });
});

function isOfWebsite({ subject }: AuditEntry): boolean {
  return subject === "website";
}

interface Work {
  readonly accountId: number;
  /** The changes that are left. */
  readonly changes: Change[];
  /** The ids of the websites. */
  readonly ids: number[];
  readonly onlyDeletes?: boolean;
}

/** Makes the changes that are left, several at the same time. */
function applyAll(storage: TestStorage, work: Work): Promise<void>[] {
  const { changes, onlyDeletes } = work;
  return Array.from({ length: 4 }, async () => {
    for (let change = changes.pop(); change !== undefined; change = changes.pop()) {
      const nth = "nth" in change ? change.nth : changes.length;
      await apply(storage, work, onlyDeletes ? { kind: "delete", nth } : change);
    }
  });
}

async function apply({ websites }: TestStorage, { accountId, ids }: Work, change: Change): Promise<void> {
  if (change.kind === "create") {
    const created = await websites.create(accountId, change.website).catch(ignoreTakenDomain);
    if (created !== undefined) ids.push(created.website.id);
    return;
  }
  const id = ids[change.nth % Math.max(1, ids.length)] ?? 1;
  if (change.kind === "update") await websites.update(accountId, id, () => change.change);
  else if (await websites.delete(accountId, id)) ids.splice(ids.indexOf(id), 1);
  // Otherwise deletions of nothing would use up the changes while the others create.
  else await setTimeout(1);
}

function ignoreTakenDomain(error: { code?: string }): undefined {
  if (error.code !== "domain_taken") throw error;
}

async function replay({ websites }: TestStorage, accountId: number, entry: AuditEntry): Promise<void> {
  const { action, subjectId: id, version, changes } = entry;
  const { password, ...fields } = changes;
  const passwordHash = password === "set" ? "any hash" : null;
  const apply = (before: Partial<Website>): WebsiteChange => {
    // The cast is safe: the fields are those of the record.
    const values: Readonly<Record<string, unknown>> = before;
    const after = Object.entries(fields).map(([name, change]) => [
      name,
      typeof change === "string" ? undefined : applyAudited(values[name], change),
    ]);
    return { ...Object.fromEntries(after), ...(password === undefined ? {} : { passwordHash }) };
  };
  if (action === "website.deleted") {
    expect(await websites.delete(accountId, id)).toBe(true);
  } else if (action === "website.created") {
    // The cast is safe: an entry of a creation has all fields of the record.
    const created = await websites.create(accountId, { passwordHash, ...apply({}) } as NewWebsite);
    expect([created.website.id, created.version]).toEqual([id, version]);
  } else {
    const updated = await websites.update(accountId, id, ({ website }) => apply(website));
    expect(updated?.version).toBe(version);
  }
}

/** Reads all records with their versions. */
async function readAll({ websites }: TestStorage, accountId: number) {
  const request = { sortBy: "id", sort: "asc", perPage: 100, start: { page: 1 } } as const;
  const { websites: listed, total } = await websites.list(accountId, request);
  expect(listed).toHaveLength(total);
  return Promise.all(listed.map(({ website: { id } }) => websites.get(accountId, id)));
}
