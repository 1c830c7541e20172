import { runSql } from "@siteward/testing/engines/postgres";
import { expect, it, vi } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import type { Connection } from "../engine/connection.ts";
import { AccountNodes, hashAccountId } from "./citus-nodes.ts";

it("The hash of an account ID is that of PostgreSQL, by which Citus chooses a shard", async () => {
  await using database = await engines.postgres();
  const ids = [1, 2, 40, 1_000, 123_456_789, 2 ** 32 - 1, 2 ** 32, 2 ** 33 + 5, 2 ** 52 + 7, 2 ** 53 - 1];
  const list = ids.join(", ");
  const rows = await runSql(
    database.databaseUrl,
    `select id::text, hashint8(id) as hash from unnest(array[${list}]::bigint[]) as id`,
  );
  expect(ids.map((id) => ({ id: String(id), hash: hashAccountId(id) }))).toEqual(rows);
});

it("Nodes are numbered without gaps, so that no two of them share a connection while there are enough", async () => {
  await using database = await engines.postgres({ isMigrated: true });
  await database.execute(`
    create table pg_dist_shard (logicalrelid regclass, shardid bigint, shardminvalue text, shardmaxvalue text);
    insert into pg_dist_shard values ('accounts', 1, '-2147483648', '-1'), ('accounts', 2, '0', '2147483647');
    create table pg_dist_placement (shardid bigint, groupid integer);
    insert into pg_dist_placement values (1, 3), (2, 1)`);
  // The cast is safe: the query returns its rows.
  const execute = (({ sql }) => runSql(database.databaseUrl, sql)) as Connection["execute"];
  const nodes = new AccountNodes({ execute });
  await vi.waitFor(() => expect(nodes.count).toBe(2));
  expect(new Set([1, 2, 3, 4, 5, 6].map((id) => nodes.nodeOf(id)))).toEqual(new Set([0, 1]));
});
