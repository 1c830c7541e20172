import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { engines, type TestDatabase, type TestEngine } from "../../test/support/engines.ts";
import { fillAccount } from "../../test/support/storage/fill-account.ts";
import { fillTrailOf, rareKey } from "../../test/support/storage/fill-audit-trail.ts";
import { pretendCitus } from "../../test/support/storage/pretend-citus.ts";
import { noteStatements, readTexts } from "../../test/support/storage/read-statements.ts";
import {
  createTestAccount,
  newWebsite,
  openWithTestAuthor,
  type TestStorage,
  testAuthor,
} from "../../test/support/storage.ts";
import type { EngineName } from "./engine/choose-engine.ts";
import { openDatabase } from "./engine/database.ts";
import { planMigration } from "./engine/migrate.ts";
import { migrations } from "./engine/schema.ts";
import { sql } from "./engine/statement.ts";
import { inspectDatabase } from "./inspect-database.ts";
import { backUpDatabase } from "./moving/backup.ts";
import { copyDatabase } from "./moving/copy-database.ts";
import { restoreDatabase } from "./moving/restore.ts";

test("every statement of the source runs on both engines", async () => {
  using notes = noteStatements();
  await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-"));
  const urls = ["copy.db", "restored.db"].map((name) => `file:${join(folder.path, name)}`);
  const [copy = "", restored = ""] = urls;
  await runAll(engines.sqlite, copy);
  await runAll(engines.postgres, copy.replace("copy", "other"));
  await runOnFile(copy, restored);
  await runOnCitus();
  const others = (engine: EngineName) => notes.findOthers(engine, readTexts(import.meta.dirname, engine));
  // SQLite has one writer at a time, so nothing locks a row.
  expect(others("sqlite")).toEqual(["for update"]);
  // Only after 20,000 websites are others skipped. Only files are backed up.
  const ofBackups = expect.stringMatching(/^select \(select count\(\*\) from accounts\) as accounts/);
  expect(others("postgres")).toEqual(["select count(*) as total from", ofBackups]);
});

const day = 86_400_000;

async function runAll(engine: TestEngine, copy: string): Promise<void> {
  await using place = await engine();
  const location = { ...place, setting: "The URL" };
  await planMigration(location, migrations);
  const clock = { now: Date.now() };
  // It is no replica, so the primary answers in the end.
  const replicas = place.engine === "postgres" ? [location] : [];
  const storage = await openWithTestAuthor({ ...location, replicas, trailLimitMegabytes: 1, now: () => clock.now });
  await runOnLongTrail(storage, location.databaseUrl);
  const accountId = await createTestAccount(storage);
  await runOnAccount(storage, accountId);
  await runOnWebsites(storage, accountId, clock);
  await list(storage, accountId);
  await place.execute(`update accounts set trail_bytes = 2000000 where id = ${accountId}`);
  await expect(storage.websites.update(accountId, 2, () => ({ email: 1 }))).rejects.toThrow("limit");
  await runOnLargeAccount(storage, place);
  await storage.ping();
  await storage.close();
  await copyDatabase({ from: location, to: { ...location, databaseUrl: copy } });
  const inspection = await inspectDatabase(location, replicas);
  await inspection.read();
  await inspection.requireWritable();
  await inspection.readReplicas();
  await inspection.close();
}

/** More entries than one call reads or deletes. */
async function runOnLongTrail({ audit, accounts, retention }: TestStorage, databaseUrl: string): Promise<void> {
  await fillTrailOf(databaseUrl, [1_100]);
  const after = { at: 1_000_000, subject: "website", subject_id: 1, version: 2 } as const;
  for (const websiteId of [undefined, 1])
    for (const some of [{}, { after, apiKey: rareKey, since: 1 }, { apiKey: rareKey }])
      await audit.list(1, { websiteId, ...some, limit: 10 });
  await retention.findExpired({ afterAccountId: 0, auditRetentionMs: 0 });
  // The outcomes of requests go first, 50 at a time.
  for (let calls = 0; calls < 24; calls += 1) await retention.deleteExpired(1, 0);
  await accounts.delete(1, { by: testAuthor, revocationMs: 0 });
}

async function runOnLargeAccount(storage: TestStorage, place: TestDatabase): Promise<void> {
  const database = await openDatabase(place);
  const { primary, engine, write } = database;
  const accountId = await createTestAccount(storage);
  // So many that each term is common, by the size that the account seems to have.
  const domains = Array.from({ length: 450 }, (_, index) => `shop-${index}.xn--bcher-kva.example`);
  await fillAccount(database, accountId, domains);
  await place.execute(`update accounts set website_count = 2001 where id = ${accountId}`);
  await list(storage, accountId);
  await engine.server?.findLockHolder(primary);
  if (engine.server !== undefined)
    await write((transaction) => engine.ifSupported(transaction, async () => void (await transaction.read(sql`no`))));
  await database.close();
}

async function runOnAccount({ accounts, apiKeys }: TestStorage, accountId: number): Promise<void> {
  await accounts.update(accountId, { name: "Other" }, testAuthor);
  await accounts.firstId();
  await accounts.totals();
  await accounts.list();
  const key = { accountId, name: "Key", hash: new Uint8Array(32), scopes: [], expiresAt: null, rateLimit: null };
  await apiKeys.create({ ...key, prefix: "a" });
  await apiKeys.update("a", () => ({ name: "Other" }), testAuthor);
  const next = { prefix: "b", hash: new Uint8Array(31), expiresAt: null };
  await apiKeys.rotate("a", () => ({ next, expiresAt: new Date() }));
  await apiKeys.revoke("b");
  for (const owner of [accountId, undefined]) await apiKeys.list(owner);
  await apiKeys.recordUse(new Map([[1, Date.now()]]));
}

async function runOnWebsites({ websites }: TestStorage, accountId: number, clock: { now: number }): Promise<void> {
  const create = (domain: string, key?: string) =>
    websites
      .create(accountId, newWebsite(domain), { idempotency: key === undefined ? undefined : { key, fingerprint: "" } })
      .catch(() => undefined);
  // With its 126th website, the second account completes a block of the search index.
  for (let count = 1; count <= 130; count += 1) await create(`${count}.example`);
  for (const key of ["kept", "kept", "refused", "refused"]) await create(`${key.replace("refused", "1")}.example`, key);
  clock.now += 2 * day;
  await create("expired.example", "kept");
  await websites.update(accountId, 1, () => ({ privacy: 2, passwordHash: "hash" }));
  await websites.delete(accountId, 1);
  for (const number of [0, 1]) await websites.changes(accountId, { since: { number, at: 0 }, perPage: 10 });
}

/** Lists and searches in every order, from every kind of start, for terms that are in any of the forms of a domain. */
async function list({ websites }: TestStorage, accountId: number): Promise<void> {
  for (const sortBy of ["id", "domain"] as const) {
    const key = sortBy === "id" ? 5 : "5.example";
    const position = { position: { key, side: "after" } } as const;
    const starts = [
      { page: 1 },
      { page: 99 },
      ...(["forward", "backward"] as const).map((direction) => ({ ...position, direction })),
    ];
    for (const start of starts)
      for (const search of [undefined, "o", "r.e", "p-44", "zzz", "ü"])
        await websites.list(accountId, { sortBy, sort: "asc", perPage: 1_000, start, ...(search && { search }) });
  }
}

async function runOnFile(databaseUrl: string, restored: string): Promise<void> {
  const file = `${restored}.backup`.slice("file:".length);
  const now = () => new Date();
  await backUpDatabase({ source: { databaseUrl, setting: "The URL" }, file, keep: undefined }, now);
  await restoreDatabase({ databaseUrl: restored, setting: "The URL" }, file, now);
}

/** The statements for Citus, which knows more than the catalog here. */
async function runOnCitus(): Promise<void> {
  await using coordinator = await engines.postgres();
  await pretendCitus(coordinator, { isCoordinator: true });
  const storage = await openWithTestAuthor({ ...coordinator, onUndistributed: () => undefined });
  const accountId = await createTestAccount(storage);
  await storage.ping();
  await runOnWebsites(storage, accountId, { now: Date.now() });
  for (const count of [0, 2001]) {
    await coordinator.execute(`update accounts set website_count = ${count}`);
    await storage.websites.list(accountId, { search: "o", sortBy: "id", sort: "asc", perPage: 10, start: { page: 1 } });
  }
  await storage.close();
  await using worker = await engines.postgres();
  await pretendCitus(worker, { isCoordinator: false });
  await expect(openDatabase({ ...worker, mustExist: true })).rejects.toThrow("worker");
}
