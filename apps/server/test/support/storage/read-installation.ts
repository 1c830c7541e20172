import { openDatabase } from "../../../src/storage/engine/database.ts";

/** Reads all rows of a database in order of their keys, and the migrations that ran. */
export async function readInstallation(databaseUrl: string) {
  const { primary, build, close } = await openDatabase({ databaseUrl });
  try {
    return {
      accounts: await primary.read(build.selectFrom("accounts").selectAll().orderBy("id")),
      apiKeys: await primary.read(build.selectFrom("api_keys").selectAll().orderBy("id")),
      websites: await primary.read(build.selectFrom("websites").selectAll().orderBy("account_id").orderBy("id")),
      auditEntries: await primary.read(
        build
          .selectFrom("audit_entries")
          .selectAll()
          .orderBy("account_id")
          .orderBy("at")
          .orderBy("subject")
          .orderBy("subject_id")
          .orderBy("version"),
      ),
      idempotencyKeys: await primary.read(
        build.selectFrom("idempotency_keys").selectAll().orderBy("account_id").orderBy("key"),
      ),
      accountDeletions: await primary.read(build.selectFrom("account_deletions").selectAll().orderBy("account_id")),
      versions: await primary.read(build.selectFrom("schema_migrations").selectAll().where("version", "<>", 0)),
    };
  } finally {
    await close();
  }
}
