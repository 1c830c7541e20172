import { expect, it } from "vitest";
import { describeOnEveryDatabase, engines } from "../../../test/support/engines.ts";
import { lockTable } from "../../../test/support/lock-table.ts";
import { createTestAccount, openTestStorage } from "../../../test/support/storage/open-test-storage.ts";
import { pretendCitus } from "../../../test/support/storage/pretend-citus.ts";
import { readAuditEntries } from "../../../test/support/storage/read-audit-entries.ts";
import { openStorage } from "../open-storage.ts";
import { tables } from "../tables/schema.ts";

const settings = { name: "Acme", email: "owner@acme.example", websiteLimit: 5 };

describeOnEveryDatabase("accounts", (engine) => {
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
