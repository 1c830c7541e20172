import { expect, it } from "vitest";
import { describeOnEveryDatabase, engines } from "../../../../test/support/engines.ts";
import { lockTable } from "../../../../test/support/lock-table.ts";
import { createTestAccount, openTestStorage } from "../../../../test/support/storage/open-test-storage.ts";
import { pretendCitus } from "../../../../test/support/storage/pretend-citus.ts";
import { readAuditEntries } from "../../../../test/support/storage/read-audit-entries.ts";
import { openStorage } from "../../open-storage.ts";
import { tables } from "../../tables/schema.ts";

const settings = { name: "Acme", email: "owner@acme.example", websiteLimit: 5 };

describeOnEveryDatabase("accounts", (engine) => {
  it("get ids from 1, and are returned as they were created", async () => {
    await using storage = await openTestStorage(engine, { now: () => 0 });
    expect(await storage.accounts.firstId()).toBeUndefined();
    const first = await storage.accounts.create(settings);
    const second = await storage.accounts.create({ ...settings, websiteLimit: null });
    expect(first).toEqual({
      id: 1,
      name: "Acme",
      email: "owner@acme.example",
      websites: { count: 0, limit: 5 },
      created_at: "1970-01-01T00:00:00.000Z",
      updated_at: "1970-01-01T00:00:00.000Z",
    });
    expect(second).toEqual({ ...first, id: 2, websites: { count: 0, limit: null } });
    expect(await storage.accounts.get(2)).toEqual(second);
    expect(await storage.accounts.list()).toEqual([first, second]);
    expect(await storage.accounts.firstId()).toBe(1);
    expect(await storage.accounts.get(3)).toBeUndefined();
  });

  it("change only in the given fields, and get a new time only if something changes", async () => {
    let now = 1000;
    await using storage = await openTestStorage(engine, { now: () => now });
    const account = await storage.accounts.create(settings);
    now = 2000;
    expect(await storage.accounts.update(1, { name: "Acme" })).toEqual(account);
    const changed = await storage.accounts.update(1, { websiteLimit: null });
    const expected = { ...account, websites: { count: 0, limit: null }, updated_at: new Date(2000).toISOString() };
    expect(changed).toEqual(expected);
    now = 500;
    expect(await storage.accounts.update(1, { email: "new@acme.example" })).toEqual({
      ...expected,
      email: "new@acme.example",
      updated_at: new Date(2001).toISOString(),
    });
    expect(await storage.accounts.update(2, { name: "Other" })).toBeUndefined();
  });

  it("are in the audit trail with each change: who, when, and each field that changed", async () => {
    let now = 1000;
    await using storage = await openTestStorage(engine, { now: () => now });
    const by = { apiKey: null, operator: "Jürgen", requestId: null };
    await storage.accounts.create(settings, by);
    now = 2000;
    await storage.accounts.update(1, { name: "Acme", websiteLimit: 5 }, by);
    await storage.accounts.update(1, { name: "New", websiteLimit: null }, by);
    // The clock went backwards.
    now = 500;
    await storage.accounts.update(1, { email: "new@acme.example" }, by);
    const entry = {
      account_id: 1,
      subject: "account",
      subject_id: 1,
      api_key: null,
      operator: "Jürgen",
      request_id: null,
    };
    expect(await readAuditEntries(storage.database.databaseUrl)).toEqual([
      {
        ...entry,
        at: 1000,
        version: 1,
        action: "account.created",
        changes: {
          name: { from: null, to: "Acme" },
          email: { from: null, to: "owner@acme.example" },
          website_limit: { from: null, to: 5 },
        },
      },
      {
        ...entry,
        at: 2000,
        version: 2,
        action: "account.updated",
        changes: { name: { from: "Acme", to: "New" }, website_limit: { from: 5, to: null } },
      },
      {
        ...entry,
        at: 2001,
        version: 3,
        action: "account.updated",
        changes: { email: { from: "owner@acme.example", to: "new@acme.example" } },
      },
    ]);
  });
});

it("on Citus, the first account with a key is found while the accounts of another node cannot be read", async () => {
  await using storage = await openTestStorage(engines.postgres);
  const { databaseUrl } = storage.database;
  const accountId = await createTestAccount(storage);
  await storage.apiKeys.create({
    accountId,
    name: "Key",
    prefix: "swk_a",
    hash: new Uint8Array(32),
    scopes: [],
    expiresAt: null,
    rateLimit: null,
  });
  await pretendCitus(storage.database, { isCoordinator: true, distributed: Object.keys(tables) });
  const onCitus = await openStorage({ databaseUrl: `${databaseUrl}?statement_timeout=100` });
  await using _ = await lockTable(databaseUrl, "accounts");
  await expect(onCitus.accounts.list()).rejects.toMatchObject({ code: "unavailable" });
  expect(await onCitus.accounts.firstId()).toBe(accountId);
  await onCitus.close();
});
