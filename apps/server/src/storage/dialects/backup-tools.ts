/** The command lines of an engine that has tools of its own for backups. Each can be pasted into a shell. */
export interface BackupTools {
  /** Writes a backup into the file. */
  backup(file: string): readonly string[];
  /** Restores the file into a new database, which replaces none. */
  restore(file: string): readonly string[];
}
