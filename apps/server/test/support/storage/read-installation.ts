import { openDatabase } from "../../../src/storage/engine/database.ts";
import { listNames, sql } from "../../../src/storage/engine/statement.ts";
import { type Schema, tables } from "../../../src/storage/tables/schema.ts";

/** Reads all rows of a database in order of their keys, and the migrations that ran. */
export async function readInstallation(databaseUrl: string) {
  const { primary, close } = await openDatabase({ databaseUrl });
  const readAll = <Name extends keyof Schema>(name: Name, where = sql``) =>
    primary.read<Schema[Name]>(
      sql`select * from ${listNames([name])} ${where} order by ${listNames(tables[name].key)}`,
    );
  try {
    return {
      accounts: await readAll("accounts"),
      apiKeys: await readAll("api_keys"),
      websites: await readAll("websites"),
      auditEntries: await readAll("audit_entries"),
      idempotencyKeys: await readAll("idempotency_keys"),
      accountDeletions: await readAll("account_deletions"),
      versions: await readAll("schema_migrations", sql`where version <> 0`),
    };
  } finally {
    await close();
  }
}
