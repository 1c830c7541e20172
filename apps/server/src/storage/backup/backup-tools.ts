import { describeBackupTools } from "../database/choose-dialect.ts";
import type { DatabaseLocation } from "../database/database.ts";
import type { BackupTools } from "../dialects/backup-tools.ts";

export type BackupLines = BackupTools;

/** Returns the command lines that back up and restore a database on a server. Undefined for a file, of which Siteward makes backups. */
export function findBackupTools(location: DatabaseLocation): Promise<BackupLines | undefined> {
  return describeBackupTools(location);
}
