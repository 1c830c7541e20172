import { copyDatabase } from "../../../src/storage/moving/copy-database.ts";

/** Copies a database that nobody has open. */
export async function copyInstallation(from: string, to: string): Promise<void> {
  const ends = { from: { databaseUrl: from, setting: "--from" }, to: { databaseUrl: to, setting: "--to" } };
  await copyDatabase(ends);
}
