import { runSql } from "@siteward/testing/engines/postgres";
import { describe, expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { startProgram } from "../../../test/support/run-program.ts";
import { pretendCitus } from "../../../test/support/storage/pretend-citus.ts";
import { testAuthor } from "../../../test/support/storage.ts";
import { openStorage } from "../open-storage.ts";
import { tables } from "../tables/schema.ts";
import { planMigration } from "./migrate.ts";
import { migrations } from "./schema.ts";

const all = Object.keys(tables).toSorted();
const distribution = [
  `alter table api_keys drop constraint if exists api_keys_account_id_fkey`,
  `alter table account_deletions drop constraint if exists account_deletions_account_id_fkey`,
  `select create_distributed_table('accounts', 'id')`,
  `select create_reference_table('api_keys')`,
  `select create_distributed_table('websites', 'account_id', colocate_with => 'accounts')`,
  `select create_distributed_table('audit_entries', 'account_id', colocate_with => 'accounts')`,
  `select create_distributed_table('idempotency_keys', 'account_id', colocate_with => 'accounts')`,
  `select create_reference_table('account_deletions')`,
  `select create_reference_table('schema_migrations')`,
];

describe("a migration on Citus", () => {
  it("distributes all tables of a new database, once, and its plan says so", async () => {
    await using place = await engines.postgres();
    await pretendCitus(place, { isCoordinator: true });
    const { steps } = await planMigration(place, migrations);
    expect(steps.at(-1)).toEqual({ title: "the nodes of Citus", statements: distribution });
    for (const _ of [1, 2]) await (await openStorage(place)).close();
    expect(await readDistributed(place.databaseUrl)).toEqual(all);
    expect((await planMigration(place, migrations)).steps).toEqual([]);
  });

  it("distributes what an earlier release left on the coordinator", async () => {
    await using place = await engines.postgres({ isMigrated: true });
    await pretendCitus(place, { isCoordinator: true, distributed: all.filter((name) => name !== "account_deletions") });
    const told: (readonly string[])[] = [];
    const onDistribution = (names: readonly string[]) => told.push(names);
    for (const _ of [1, 2]) await (await openStorage({ ...place, onDistribution })).close();
    expect(await readDistributed(place.databaseUrl)).toEqual(all);
    expect(told).toEqual([["account_deletions"]]);
  });

  it("leaves accounts where they are that are on the coordinator alone", async () => {
    await using place = await engines.postgres({ isMigrated: true });
    const storage = await openStorage(place);
    await storage.accounts.createAll([{ name: "Acme", email: "a@acme.example", websiteLimit: null }], testAuthor);
    await storage.close();
    await pretendCitus(place, { isCoordinator: true });
    const told: string[] = [];
    await (await openStorage({ ...place, onUndistributed: (reason) => told.push(reason) })).close();
    expect(await readDistributed(place.databaseUrl)).toEqual([]);
    expect(told).toEqual([expect.stringMatching(/already contain accounts.*`siteward-server copy`/)]);
  });

  it("says while Citus has no workers, like each start, that all tables are on one node", async () => {
    await using place = await engines.postgres();
    await pretendCitus(place, { isCoordinator: true, hasWorkers: false });
    const advice = /Citus has no workers here.*`citus_add_node`.*`siteward-server migrate` there again/;
    const migrated = await place.run("migrate --json");
    expect(JSON.parse(migrated.stdout)).toMatchObject({ from: 0 });
    expect(migrated.stderr.trim().split("\n")).toEqual([expect.stringMatching(advice)]);
    await using program = startProgram(["start", "--port", "0"], place.environment);
    await program.printed("listening");
    program.child.kill("SIGTERM");
    expect(await program.ended).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(advice) });
    await place.execute("insert into pg_dist_node values (1, 'primary')");
    expect(await place.run("migrate")).toMatchObject({
      stdout: expect.stringContaining("Distributed accounts, "),
      stderr: "",
    });
  });

  it("does not begin on a worker, which lacks the tables of a new release", async () => {
    await using place = await engines.postgres({ isMigrated: true });
    await place.execute("drop table account_deletions");
    await pretendCitus(place, {
      isCoordinator: false,
      distributed: all.filter((name) => name !== "account_deletions"),
    });
    const message = "This node of Citus is a worker, and lacks account_deletions.";
    await expect(openStorage(place)).rejects.toMatchObject({ code: "not_coordinator", message });
    await using empty = await engines.postgres();
    await pretendCitus(empty, { isCoordinator: false });
    await expect(openStorage(empty)).rejects.toMatchObject({ code: "not_coordinator" });
    await expect(openStorage({ ...empty, mustExist: true })).rejects.toMatchObject({
      code: "not_coordinator",
      message: expect.stringMatching(/contains no tables of Siteward\. It is a worker of Citus\.$/),
    });
    await expect(planMigration(empty, migrations)).rejects.toMatchObject({ code: "not_coordinator" });
  });
});

async function readDistributed(databaseUrl: string): Promise<string[]> {
  const rows = await runSql(databaseUrl, "select logicalrelid::text as name from pg_dist_partition");
  return rows.map(({ name }) => String(name)).toSorted();
}
