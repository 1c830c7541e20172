const placeholder = "{time}";
const timePattern = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

export function hasTime(name: string): boolean {
  return name.includes(placeholder);
}

/**
 * Replaces `{time}` in the name of a backup. Times in UTC, such as `20270131T090000Z`, are in the order of their text.
 */
export function nameBackup(name: string, madeAt: Date): string {
  return name.replace(placeholder, renderTime(madeAt));
}

/** Returns a time as it is in the names of files, such as `20270131T090000Z`. */
export function renderTime(time: Date): string {
  return time.toISOString().replace(/[-:]|\.\d+/g, "");
}

/**
 * Returns which files of a folder are backups that are no longer kept: those whose name is the pattern with a time, but
 * the newest ones. Backups from the future are neither counted nor named: a clock was wrong when they were made, or is
 * now.
 */
export function findOldBackups(names: readonly string[], { pattern, made, keep }: Kept): string[] {
  const others = names.filter((name) => name < made && isBackup(name, pattern)).toSorted();
  return others.slice(0, Math.max(0, others.length - (keep - 1)));
}

interface Kept {
  readonly pattern: string;
  /** The name of the backup that was just made. */
  readonly made: string;
  readonly keep: number;
}

/** Whether `nameBackup` writes this name at any time. */
function isBackup(name: string, pattern: string): boolean {
  const [before = "", after = ""] = pattern.split(placeholder);
  const time = name.slice(before.length, name.length - after.length);
  const date = new Date(time.replace(timePattern, "$1-$2-$3T$4:$5:$6Z"));
  return !Number.isNaN(date.getTime()) && nameBackup(pattern, date) === name;
}
