import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { ownQuery, sql } from "../engine/statement.ts";
import { inspectSqlite } from "./inspect-sqlite.ts";

const versions = ownQuery<{ count: number }>(sql`select count(*) as count from schema_migrations`);

test("a file that a process opens while it is read is read again, with the log of that process", async () => {
  await using place = await engines.sqlite({ isMigrated: true });
  const inspection = await inspectSqlite({ ...place, setting: "The URL" }, []);
  const started = new DisposableStack();
  const counts: number[] = [];
  const read = await inspection.read(async (driver) => {
    const [row] = await driver.execute(versions);
    counts.push(row?.count ?? 0);
    if (counts.length === 1) {
      const server = started.use(new DatabaseSync(place.path));
      server.exec("insert into schema_migrations (version, name, applied_at) values (99, 'later', 0)");
    }
    return row?.count;
  });
  expect([...counts, read]).toEqual([1, 2, 2]);
  started.dispose();
});
