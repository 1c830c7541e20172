import { expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { lockTable } from "../../../test/support/lock-table.ts";
import { createTestAccount, openTestStorage } from "../../../test/support/storage/open-test-storage.ts";
import { pretendCitus } from "../../../test/support/storage/pretend-citus.ts";
import { openStorage } from "../open-storage.ts";
import { tables } from "../tables/schema.ts";

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
