import { runSql } from "@siteward/testing/engines/postgres";
import { expect, it } from "vitest";
import { engines } from "../../../../test/support/engines.ts";
import { hashAccountId } from "./account-nodes.ts";

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
