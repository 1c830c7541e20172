import { chmod, open, rename, writeFile } from "node:fs/promises";
import { findDatabaseFile } from "../database/choose-dialect.ts";
import { defaultSetting } from "../database/open-database.ts";
import { createFile } from "./files.ts";

/** The file has 45 bytes. */
const maxBytes = 1_000;

/**
 * Returns when the last backup of the database was complete. Undefined if there is none, if what was recorded is
 * damaged or not readable, and for a database on a server, of which Siteward makes no backups.
 *
 * @throws InstallationError `invalid_url`
 */
export async function readLastBackup(databaseUrl: string): Promise<Date | undefined> {
  const database = await findDatabaseFile({ databaseUrl, setting: defaultSetting });
  if (database === undefined) return undefined;
  const text = await readStart(recordOf(database)).catch(() => "");
  return parseTime(text);
}

/**
 * Records when a backup was complete, in a file next to the database. Every user may read it if the folder permits it,
 * so that the server knows of a backup that another user made. It has nothing but the time.
 *
 * @param database the path of the database
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

/** Returns the path of the record of a database. */
export function recordOf(database: string): string {
  return `${database}.last-backup`;
}

async function readStart(path: string): Promise<string> {
  await using file = await open(path, "r");
  const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
  return buffer.toString("utf8", 0, bytesRead);
}

function parseTime(text: string): Date | undefined {
  try {
    const record: unknown = JSON.parse(text);
    const hasTime = typeof record === "object" && record !== null && "completed_at" in record;
    const time = hasTime && typeof record.completed_at === "string" ? new Date(record.completed_at) : undefined;
    return time === undefined || Number.isNaN(time.getTime()) ? undefined : time;
  } catch {
    return undefined;
  }
}
