import type { Database } from "../engines/database.ts";
import type { EngineName } from "../engines/engine-name.ts";

/** What the audit trail and the outcomes of idempotency keys take on the disk, with their indexes. */
const sizes: Readonly<Record<EngineName, string>> = {
  sqlite: "select sum(pgsize) as bytes from dbstat where name glob '*audit_entries*' or name glob '*idempotency_keys*'",
  postgres: "select pg_total_relation_size('audit_entries') + pg_total_relation_size('idempotency_keys') as bytes",
};

/** Returns how many bytes the audit trail and the outcomes of requests take. */
export async function measureTrail({ engine, query }: Pick<Database, "engine" | "query">): Promise<number> {
  const [row] = await query(sizes[engine]);
  return Number(row?.["bytes"]);
}
