import { chmod, open, rename, writeFile } from "node:fs/promises";
import { defaultSetting } from "../engine/database.ts";
import { createFile, findFile } from "./place-file.ts";

/** The file has 45 bytes. */
const maxBytes = 1_000;

/**
 * Returns when the last backup of the database was complete. Undefined if there is none, if what was recorded is
 * damaged or not readable, and for a database on a server, of which Siteward makes no backups.
 *
 * @throws InstallationError `invalid_url`
 */
export async function readLastBackup(databaseUrl: string): Promise<Date | undefined> {
  const database = await findFile({ databaseUrl, setting: defaultSetting });
  if (database === undefined) return undefined;
  const text = await readStart(recordOf(database.path)).catch(() => "");
  const time = new Date(/"completed_at":"([^"]*)"/.exec(text)?.[1] ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/**
 * Records when a backup was complete, in a file next to the database. Every user may read it if the folder permits it,
 * so that the server knows of a backup that another user made. It has nothing but the time.
 *
 * @throws Error if this user may not write to the folder
 */
export async function recordLastBackup(database: string, completedAt: Date): Promise<void> {
  const record = recordOf(database);
  const text = `${JSON.stringify({ completed_at: completedAt.toISOString() })}\n`;
  const fill = async (partial: string) => {
    await writeFile(partial, text);
    await chmod(partial, 0o644);
  };
  await createFile(record, fill, (partial) => rename(partial, record));
}

export function recordOf(database: string): string {
  return `${database}.last-backup`;
}

async function readStart(path: string): Promise<string> {
  await using file = await open(path, "r");
  const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
  return buffer.toString("utf8", 0, bytesRead);
}
