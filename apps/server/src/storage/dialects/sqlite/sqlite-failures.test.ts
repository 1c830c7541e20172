import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { engines } from "../../../../test/support/engines.ts";
import { createTestAccount, newWebsite, openTestStorage } from "../../../../test/support/storage/open-test-storage.ts";
import { testAuthor, websitesWithTestAuthor } from "../../../../test/support/storage/with-test-author.ts";
import { createAccountStore } from "../../changes/accounts/account-store.ts";
import { createWebsiteStore } from "../../changes/websites/website-store.ts";
import { openDatabase } from "../../database/open-database.ts";
import { migrate } from "../../migrations/migrate.ts";
import { migrations } from "../../migrations/migrations.ts";

const unavailable = { reason: "database", cause: { code: "ERR_SQLITE_ERROR" } };

describe("SQLite", () => {
  it("waits for another process that writes, and blocks neither reads nor its own process", async () => {
    await using storage = await openTestStorage(engines.sqlite);
    const accountId = await createTestAccount(storage);
    using other = openOther(storage.database.databaseUrl);
    other.exec("begin immediate");
    const creating = storage.websites.create(accountId, newWebsite("a.example"));
    const first = await Promise.race([creating, setTimeout(200, "waits")]);
    expect(first).toBe("waits");
    expect((await storage.accounts.get(accountId))?.websites.count).toBe(0);
    other.exec("commit");
    expect((await creating).website.id).toBe(1);
  });

  it("reports unavailable if another process does not stop writing, and works again when it stops", async () => {
    await using storage = await openTestStorage(engines.sqlite);
    const accountId = await createTestAccount(storage);
    using other = openOther(storage.database.databaseUrl);
    other.exec("begin immediate");
    await expect(storage.websites.create(accountId, newWebsite("a.example"))).rejects.toMatchObject(unavailable);
    other.exec("rollback");
    expect((await storage.websites.create(accountId, newWebsite("a.example"))).website.id).toBe(1);
  });

  it("reports unavailable if the disk is full, stores nothing of the refused change, and works again when there is space", async () => {
    await using place = await engines.sqlite();
    const database = await openDatabase(place);
    await migrate(database, migrations);
    const websites = websitesWithTestAuthor(createWebsiteStore(database));
    const accounts = createAccountStore(database);
    const { id: accountId } = await accounts.create(
      { name: "Acme", email: "a@acme.example", websiteLimit: null },
      testAuthor,
    );
    await database.write((transaction) => transaction.read(sql`pragma max_page_count = 60`));
    let acknowledged = 0;
    const fill = async () => {
      for (;;) {
        const settings = { exclude_params: [`${"x".repeat(2000)}${acknowledged}`] };
        await websites.create(accountId, newWebsite(`site-${acknowledged + 1}.example`, settings));
        acknowledged += 1;
      }
    };
    await expect(fill()).rejects.toMatchObject(unavailable);
    expect(acknowledged).toBeGreaterThan(0);
    expect((await accounts.get(accountId))?.websites.count).toBe(acknowledged);
    await database.write((transaction) => transaction.read(sql`pragma max_page_count = 1000`));
    const { website } = await websites.create(accountId, newWebsite("later.example"));
    expect(website.id).toBe(acknowledged + 1);
    expect(await place.findFaults()).toEqual([]);
    await database.close();
  });
});

function openOther(databaseUrl: string): DatabaseSync {
  return new DatabaseSync(databaseUrl.slice("file:".length), { timeout: 1000 });
}
