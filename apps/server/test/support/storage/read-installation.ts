import { openDatabase } from "../../../src/storage/engine/database.ts";
import { type Schema, tables } from "../../../src/storage/tables/schema.ts";

/** Reads all rows of a database in order of their keys, and the migrations that ran. */
export async function readInstallation(databaseUrl: string) {
  const { primary, close } = await openDatabase({ databaseUrl });
  const readAll = <Name extends keyof Schema>(name: Name, where = "") =>
    primary.read<Schema[Name]>(`select * from ${name} ${where} order by ${tables[name].key.join(", ")}`);
  try {
    return {
      accounts: await readAll("accounts"),
      apiKeys: await readAll("api_keys"),
      websites: await readAll("websites"),
      auditEntries: await readAll("audit_entries"),
      idempotencyKeys: await readAll("idempotency_keys"),
      accountDeletions: await readAll("account_deletions"),
      versions: await readAll("schema_migrations", "where version <> 0"),
    };
  } finally {
    await close();
  }
}
