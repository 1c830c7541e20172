import { expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { createTestAccount, newWebsite } from "../../../test/support/storage/open-test-storage.ts";
import { readInstallation } from "../../../test/support/storage/read-installation.ts";
import { openWithTestAuthor, websitesWithTestAuthor } from "../../../test/support/storage/with-test-author.ts";
import { callHere } from "../changes/call-change.ts";
import { createWebsiteStore } from "../changes/website-store.ts";
import { openDatabase } from "./database.ts";

const runs = ["in one statement", "in turn"] as const;

it("PostgreSQL stores the same in turn, as on Citus, as in one statement", async () => {
  const installations = await Promise.all(runs.map((run) => fill(run)));
  expect(installations[0]?.websites).toHaveLength(2);
  expect(installations[0]?.idempotencyKeys).toHaveLength(2);
  expect(installations[0]?.auditEntries).toHaveLength(7);
  expect(installations[1]).toEqual(installations[0]);
});

it("PostgreSQL keeps counts and ids exact while two processes create and delete in turn", async () => {
  await using place = await engines.postgres();
  const storage = await openWithTestAuthor(place);
  const accountId = await createTestAccount(storage, 12);
  const databases = await Promise.all([1, 2].map(() => openRunning(place.databaseUrl, "in turn")));
  const stores = databases.map((database) => websitesWithTestAuthor(createWebsiteStore(database, callHere(database))));
  const outcomes = await Promise.allSettled(
    Array.from({ length: 120 }, async (_, index) => {
      const store = stores[index % 2];
      const idempotency = { key: `key-${index % 30}`, fingerprint: `${index % 30}` };
      const created = await store?.create(accountId, newWebsite(`site-${index % 30}.example`), { idempotency });
      // Both processes delete some of the same websites.
      if (index % 3 === 0 && created !== undefined) {
        await Promise.all(stores.map((other) => other.delete(accountId, created.website.id)));
      }
    }),
  );
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ name: "AppError" });
  }
  expect(await place.findFaults()).toEqual([]);
  const { websites, accounts, auditEntries } = await readInstallation(place.databaseUrl);
  const created = auditEntries.filter(({ action }) => action === "website.created").map((entry) => entry.subject_id);
  const deleted = auditEntries.filter(({ action }) => action === "website.deleted").map((entry) => entry.subject_id);
  expect(new Set(created).size).toBe(created.length);
  expect(accounts[0]?.last_website_id).toBe(created.length);
  expect(websites.map(({ id }) => id).sort()).toEqual(created.filter((id) => !deleted.includes(id)).sort());
  expect(created.length).toBeGreaterThan(11);
  for (const database of databases) await database.close();
  await storage.close();
});

/** Makes each kind of change, one at a time, and returns all rows. */
async function fill(run: (typeof runs)[number]) {
  await using place = await engines.postgres();
  const now = () => 1_700_000_000_000;
  const storage = await openWithTestAuthor({ ...place, now });
  const accountId = await createTestAccount(storage, 3);
  const database = await openRunning(place.databaseUrl, run, now);
  const websites = websitesWithTestAuthor(createWebsiteStore(database, callHere(database)));
  const idempotency = { key: "kept", fingerprint: "a" };
  const settings = { exclude_params: ['quo"te', "ü"], passwordHash: "$argon2id$" };
  for (const isReplay of [false, true]) {
    const created = await websites.create(accountId, newWebsite("a.example", settings), { idempotency });
    expect(created).toMatchObject({ isReplay, website: { id: 1, exclude_params: ['quo"te', "ü"] } });
  }
  const taken = websites.create(accountId, newWebsite("a.example"), {
    idempotency: { key: "taken", fingerprint: "b" },
  });
  await expect(taken).rejects.toMatchObject({ code: "domain_taken", facts: { website_id: 1 } });
  for (const domain of ["b.example", "c.example"]) await websites.create(accountId, newWebsite(domain));
  const full = websites.create(accountId, newWebsite("d.example"));
  await expect(full).rejects.toMatchObject({ code: "website_limit_reached", facts: { limit: 3 } });
  await websites.update(accountId, 2, () => ({ email: 1, exclude_ips: ["203.0.113.0/24"] }));
  await websites.update(accountId, 1, () => ({ passwordHash: null }));
  expect(await websites.delete(accountId, 3)).toBe(true);
  expect(await websites.delete(accountId, 3)).toBe(false);
  await database.close();
  await storage.close();
  const { versions: _, ...rows } = await readInstallation(place.databaseUrl);
  return rows;
}

async function openRunning(databaseUrl: string, run: (typeof runs)[number], now: () => number = Date.now) {
  const database = await openDatabase({ databaseUrl, now });
  return { ...database, isDistributed: run === "in turn" };
}
