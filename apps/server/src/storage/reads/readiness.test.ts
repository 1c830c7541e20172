import type { CompiledQuery } from "kysely";
import { expect, it } from "vitest";
import { describeOnEveryEngine } from "../../../test/support/engines.ts";
import { openDatabase } from "../database/open-database.ts";
import { migrate } from "../migrations/migrate.ts";
import { migrations } from "../migrations/migrations.ts";
import { prepareReadiness } from "./readiness.ts";

describeOnEveryEngine("the health check", (engine) => {
  it("queries the database once for all checks at about the same time", async () => {
    await using place = await engine();
    const queries: CompiledQuery[] = [];
    const database = await openDatabase({ ...place, log: ({ query }) => void queries.push(query) });
    await migrate(database, migrations);
    const check = prepareReadiness(database);
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
