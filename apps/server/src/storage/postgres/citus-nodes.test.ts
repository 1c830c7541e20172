import { setTimeout } from "node:timers/promises";
import { runSql } from "@siteward/testing/engines/postgres";
import { expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { pretendCitus } from "../../../test/support/storage/pretend-citus.ts";
import type { Connection } from "../engine/connection.ts";
import { tables } from "../tables/schema.ts";
import { AccountNodes, hashAccountId } from "./citus-nodes.ts";
import { postgres } from "./postgres.ts";

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
  await database.execute(twoNodes);
  // The cast is safe: the query returns its rows.
  const execute = (({ sql }) => runSql(database.databaseUrl, sql)) as Connection["execute"];
  const nodes = new AccountNodes({ execute });
  await expect.poll(() => nodes.count).toBe(2);
  expect(new Set([1, 2, 3, 4, 5, 6].map((id) => nodes.nodeOf(id)))).toEqual(new Set([0, 1]));
});

it("Searches on a node that hangs leave connections to those of the others, however few there are", async () => {
  await using database = await engines.postgres({ isMigrated: true });
  await pretendCitus(database, { isCoordinator: true, distributed: Object.keys(tables) });
  await database.execute(twoNodes);
  await using reader = await openReader(database);
  const [first = 0, second = 0] = [1, 2, 3, 4, 5, 6].filter((id) => hashAccountId(id) < 0);
  const other = [1, 2, 3, 4, 5, 6].find((id) => hashAccountId(id) >= 0) ?? 0;
  const hung = Promise.withResolvers<void>();
  const searches = [first, second].map((id) => reader.snapshot(() => hung.promise, id));
  await expect(reader.snapshot(async () => "found", other).finally(hung.resolve)).resolves.toBe("found");
  await Promise.all(searches);
});

const twoNodes = `
  create table pg_dist_shard (logicalrelid regclass, shardid bigint, shardminvalue text, shardmaxvalue text);
  insert into pg_dist_shard values ('accounts', 1, '-2147483648', '-1'), ('accounts', 2, '0', '2147483647');
  create table pg_dist_placement (shardid bigint, groupid integer);
  insert into pg_dist_placement values (1, 3), (2, 1)`;

/** With the default number of connections, after it has read which accounts are on which node. */
async function openReader({ databaseUrl }: { readonly databaseUrl: string }) {
  const options = {
    allowsLongStatements: false,
    hasOwnThread: false,
    mustExist: true,
    mustBeWritable: false,
    replicas: [],
  };
  const open = await postgres.open({ ...options, databaseUrl, setting: "DATABASE_URL" });
  await setTimeout(500);
  return Object.assign(open.read, { [Symbol.asyncDispose]: () => open.close() });
}
