import { DatabaseSync } from "node:sqlite";
import { runSql } from "@siteward/testing/engines/postgres";
import type { EngineName } from "../../../src/storage/engine/choose-dialect.ts";

/** Returns how many bytes the audit trail and the outcomes of requests take on the disk, with their indexes. */
export const measureTrail = {
  async sqlite(databaseUrl) {
    using database = new DatabaseSync(databaseUrl.slice("file:".length), { readOnly: true });
    const isTrail = "name glob '*audit_entries*' or name glob '*idempotency_keys*'";
    return Number(database.prepare(`select sum(pgsize) as bytes from dbstat where ${isTrail}`).get()?.["bytes"]);
  },
  async postgres(databaseUrl) {
    const sizes = ["audit_entries", "idempotency_keys"].map((table) => `pg_total_relation_size('${table}')`);
    const rows = await runSql(databaseUrl, `select ${sizes.join(" + ")} as bytes`);
    return Number(rows[0]?.["bytes"]);
  },
} as const satisfies Record<EngineName, (databaseUrl: string) => Promise<number>>;
