import { afterAll, beforeAll, expect, it } from "vitest";
import { describeOnEveryEngine, type TestDatabase } from "../../../test/support/engines.ts";
import { fillAuditTrail, rareKey } from "../../../test/support/storage/fill-audit-trail.ts";
import { readAuditTrail } from "../../../test/support/storage/read-audit-trail.ts";
import { type Database, openDatabase } from "../engine/database.ts";
import { migrate } from "../engine/migrate.ts";
import { migrations } from "../engine/schema.ts";
import type { AuditEntry, AuditListRequest, AuditPosition } from "../interface/audit-store.ts";
import { createAuditStore } from "./audit-store.ts";

describeOnEveryEngine("pages of a long audit trail", (engine) => {
  const count = 6_000;
  let place: TestDatabase;
  let database: Database;
  let all: AuditEntry[];

  beforeAll(async () => {
    place = await engine();
    database = await openDatabase(place);
    await migrate(database, migrations);
    await fillAuditTrail(database, [10, count, 10]);
    all = await readAuditTrail(createAuditStore(database), 2, { limit: 5_000 });
  }, 60_000);

  afterAll(async () => {
    await database.close();
    await place[Symbol.asyncDispose]();
  });

  it("have all entries of the account once, the newest first", () => {
    expect(all.map(({ at }) => at)).toEqual(Array.from({ length: count }, (_, index) => (count - 1 - index) * 1_000));
  });

  it.each<Partial<AuditListRequest>>([
    {},
    { since: 5_990_000 },
    { websiteId: 18, since: 3_000_000 },
    { websiteId: 18, apiKey: "swk_0" },
    { apiKey: "swk_3", since: 3_000_000 },
    { websiteId: 20 },
    { apiKey: rareKey },
  ])("have exactly the entries that a filter selects, in the same order, whatever the limit: %j", async (request) => {
    const expected = all.filter((entry) => isSelected(entry, request));
    for (const limit of [70, 1_000]) {
      expect(await readAuditTrail(createAuditStore(database), 2, { ...request, limit })).toEqual(expected);
    }
  });

  it("of a rare key read at most 1,000 entries each, so that none is slow", async () => {
    const { list } = createAuditStore(database);
    const sizes: number[] = [];
    let after: AuditPosition | undefined;
    do {
      const page = await list(2, { apiKey: rareKey, limit: 10, after });
      sizes.push(page.entries.length);
      after = page.next;
    } while (after !== undefined);
    expect(sizes).toEqual([1, 0, 0, 0, 0, 1, 0]);
  });

  it("continue with the same entries if the entry of the position was deleted", async () => {
    const { list } = createAuditStore(database);
    const page = await list(2, { limit: 3 });
    await place.execute(`delete from audit_entries where account_id = 3 or (account_id = 1 and at = 5000)`);
    const after = { at: 5_000, subject: "website", subject_id: 6, version: 1 } as const;
    expect((await list(1, { limit: 2, after })).entries.map(({ at }) => at)).toEqual([4_000, 3_000]);
    expect(page.entries).toEqual(all.slice(0, 3));
  });

  it("of a website end where retention did, also after a position that it deleted", async () => {
    await place.execute("delete from audit_entries where account_id = 2 and at < 3000000");
    for (const id of [18, 19, 20]) {
      const kept = all.filter((entry) => isSelected(entry, { websiteId: id, since: 3_000_000 }));
      const trail = await readAuditTrail(createAuditStore(database), 2, { websiteId: id });
      expect(trail).toEqual(kept);
      const after = { at: id * 1_000 - 1_000, subject: "website", subject_id: id, version: 1 } as const;
      expect(await readAuditTrail(createAuditStore(database), 2, { websiteId: id, after })).toEqual([]);
    }
  });
});

function isSelected(entry: AuditEntry, { websiteId, apiKey, since: from = 0 }: Partial<AuditListRequest>) {
  const { subject, subject_id, by: who, at } = entry;
  return (
    (websiteId === undefined || (subject === "website" && subject_id === websiteId)) &&
    (apiKey === undefined || who.apiKey === apiKey) &&
    at >= from
  );
}
