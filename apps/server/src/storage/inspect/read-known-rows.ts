import { type RawBuilder, sql } from "kysely";
import type { ReadConnection } from "../database/database.ts";
import type { FoundKeys, KnownRows } from "../interface/inspection.ts";

/** How many rows of a table are read, the newest. Most installations have fewer accounts and keys. */
const maxRows = 10_000;

interface KeyAge {
  readonly nowMs: number;
  readonly minUnusedMs: number;
}

/** Reads what all versions store. */
export async function readKnownRows(reader: ReadConnection, age: KeyAge): Promise<KnownRows> {
  await requireReadable(reader);
  const neverExpires = sql<boolean>`expires_at is null`;
  const unused = sql<boolean>`last_used_at is null and created_at < ${age.nowMs - age.minUnusedMs}`;
  return {
    newestMs: await readNewest(reader),
    neverExpiring: await findKeys(reader, age, neverExpires),
    neverUsed: await findKeys(reader, age, unused),
  };
}

/** Nothing else here reads these. A damaged file can have sound accounts and answer no request. */
const otherTables = ["websites", "audit_entries", "idempotency_keys"];

async function requireReadable({ read }: ReadConnection): Promise<void> {
  for (const table of otherTables) await read(sql`select * from ${sql.table(table)} limit 1`);
}

/** The columns whose newest times are that of the newest changes, and of the newest request with a key. */
const times = {
  accounts: ["last_website_created_at", "updated_at", "created_at"],
  api_keys: ["created_at", "last_used_at", "revoked_at"],
} as const;

async function readNewest({ read }: ReadConnection): Promise<number | undefined> {
  const found: (number | null | undefined)[] = [];
  for (const [table, columns] of Object.entries(times)) {
    const newest = columns.map((column) => sql`max(${sql.ref(column)}) as ${sql.ref(column)}`);
    // The cast is safe: each column is one of times.
    const rows = await read(
      sql<Record<string, number | null>>`select ${sql.join(newest)}
        from (select * from ${sql.table(table)} order by id desc limit ${sql.lit(maxRows)}) as newest`,
    );
    found.push(...Object.values(rows[0] ?? {}));
  }
  const known = found.filter((time) => typeof time === "number" && time > 0);
  return known.length === 0 ? undefined : Math.max(...known.map(Number));
}

async function findKeys(
  { build, read }: ReadConnection,
  { nowMs }: KeyAge,
  condition: RawBuilder<boolean>,
): Promise<FoundKeys> {
  const newest = build.selectFrom("api_keys").selectAll().orderBy("id", "desc").limit(maxRows);
  const keys = build
    .selectFrom(newest.as("newest"))
    .select("prefix")
    .where("revoked_at", "is", null)
    .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", nowMs)]))
    .where(condition);
  const found = await read(keys.orderBy("id"));
  return { count: found.length, prefix: found[0]?.prefix };
}
