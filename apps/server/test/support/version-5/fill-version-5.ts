import { readFile, writeFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import type { TestDatabase } from "../test-database.ts";

/**
 * Fills an empty database with one that the program wrote before the first release, when development had reached version 5 in
 * five migrations. It has an account with 130 websites, of which one was deleted, kept outcomes of both kinds, and the deletion of
 * another account.
 */
export async function fillVersion5({ databaseUrl, execute }: TestDatabase): Promise<void> {
  if (databaseUrl.startsWith("file:")) {
    const file = gunzipSync(await readFile(new URL("sqlite.db.gz", import.meta.url)));
    await writeFile(databaseUrl.slice("file:".length), file);
  } else {
    await execute(await readFile(new URL("postgres.sql", import.meta.url), "utf8"));
  }
}
