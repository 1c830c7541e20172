import { describe, expect, it } from "vitest";
import { describeOnEveryEngine, engines } from "../../../test/support/engines.ts";
import { lockTable } from "../../../test/support/hold-lock.ts";
import { pretendCitus } from "../../../test/support/storage/pretend-citus.ts";
import { accountId, openTestAccount, testAuthor } from "../../../test/support/storage.ts";
import { issueApiKeys } from "../../operator/api-keys.ts";
import type { SqlQuery } from "../engine/connection.ts";
import { openDatabase } from "../engine/database.ts";
import { migrate } from "../engine/migrate.ts";
import { migrations } from "../engine/schema.ts";
import { openStorage } from "../open-storage.ts";
import { tables } from "../tables/schema.ts";
import { prepareReadiness } from "./readiness.ts";

describeOnEveryEngine("the health check", (engine) => {
  it("queries the database once for all checks at about the same time", async () => {
    await using place = await engine();
    const queries: SqlQuery[] = [];
    const database = await openDatabase({ ...place, log: ({ query }) => void queries.push(query) });
    await migrate(database, migrations);
    const check = prepareReadiness(database, database.checkWritable);
    queries.length = 0;
    await check();
    const forOne = queries.length;
    expect(forOne).toBeGreaterThan(0);
    queries.length = 0;
    const startMs = performance.now();
    for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: 100 }, check));
    // One more than the number of half seconds that passed, however slow the machine is.
    const checks = Math.floor((performance.now() - startMs) / 500) + 1;
    expect(queries.length).toBeLessThanOrEqual(forOne * checks);
    await database.close();
  });
});

describe("on Citus, while the accounts of another node cannot be read,", () => {
  it("the health check succeeds, unless its own node is read-only, and the first account with a key is found", async () => {
    await using storage = await openTestAccount(engines.postgres);
    await issueApiKeys(storage, [{ accountId, name: "Key" }], testAuthor);
    await using _ = await lockTable(storage.database, "accounts");
    await pretendCitus(storage.database, { isCoordinator: true, distributed: Object.keys(tables) });
    await using onCitus = await openOn(`${storage.database.databaseUrl}?statement_timeout=2000`);
    await onCitus.ping();
    await expect(onCitus.accounts.list()).rejects.toMatchObject({ code: "unavailable" });
    expect(await onCitus.accounts.firstId()).toBe(accountId);
    const readOnly = "options=-c%20default_transaction_read_only%3Don";
    await using cannotWrite = await openOn(`${storage.database.databaseUrl}?${readOnly}`);
    await expect(cannotWrite.ping()).rejects.toMatchObject({ reason: "database_read_only" });
  });
});

async function openOn(databaseUrl: string) {
  const storage = await openStorage({ databaseUrl });
  return { ...storage, [Symbol.asyncDispose]: () => storage.close() };
}
