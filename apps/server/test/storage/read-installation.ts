import { openDatabase } from "../../src/storage/database/open-database.ts";

/** Reads every row that a database holds, in order of the keys, and which migrations brought it to its version. */
export async function readInstallation(databaseUrl: string) {
  const { read, close } = await openDatabase({ databaseUrl });
  try {
    return {
      accounts: await read.selectFrom("accounts").selectAll().orderBy("id").execute(),
      apiKeys: await read.selectFrom("api_keys").selectAll().orderBy("id").execute(),
      websites: await read.selectFrom("websites").selectAll().orderBy("account_id").orderBy("id").execute(),
      versions: await read.selectFrom("schema_migrations").selectAll().where("version", "<>", 0).execute(),
    };
  } finally {
    await close();
  }
}
