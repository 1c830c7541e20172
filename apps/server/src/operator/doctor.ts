import { AppError } from "@siteward/service";
import type { Config } from "../config.ts";
import { findExposure } from "../door/listen.ts";
import { quoteForShell } from "../own-programs.ts";
import { readFreeBytes } from "../storage/engine/movable-files.ts";
import { newestVersion } from "../storage/engine/schema.ts";
import type { DatabaseContents, DatabaseInspection } from "../storage/interface/inspection.ts";
import { InstallationError } from "../storage/interface/installation-error.ts";
import { readLastBackup } from "../storage/moving/last-backup.ts";
import { checkFiles, type Finding } from "./check-files.ts";

/** A finding as it is printed. Scripts rely on the codes, which docs/operating.md lists. */
export interface Diagnosis {
  readonly code: string;
  readonly status: Finding[0];
  readonly what: string;
  readonly fix: string | null;
  /** The check whose failure is the reason that this one was skipped. */
  readonly depends_on: string | null;
}

/** What the checks look at. */
export interface Subject {
  readonly config: Config;
  /** What is wrong with settings, and unknown variables. */
  readonly faults: readonly string[];
  /** @throws InstallationError `invalid_url` */
  inspect(): Promise<DatabaseInspection>;
  /** @throws InstallationError that says why the database cannot be read */
  read(): Promise<DatabaseContents>;
}

/** A check changes nothing. */
type Check = (subject: Subject) => Promise<readonly Finding[]> | readonly Finding[];

/** In the order in which they run. */
const checks = {
  settings: checkSettings,
  disk_space: checkDiskSpace,
  files: checkFiles,
  database: checkDatabase,
  clock: checkClock,
  replicas: checkReplicas,
  last_backup: checkLastBackup,
  keys: checkKeys,
} as const satisfies Readonly<Record<string, Check>>;
/**
 * What comes after a failure of one of these is skipped. If root opens files of two users, SQLite gives the log to the
 * owner of the database, which would be a change.
 */
const required: ReadonlySet<string> = new Set<keyof typeof checks>(["files", "database"]);

const slightMs = 2_000;
/** Rate limits, the days of limits and the retention of the audit trail are then wrong. */
const wrongMs = 60_000;
const mebibyte = 1024 * 1024;
/** The write-ahead log of SQLite keeps up to 64 MiB of the disk while the server is busy. */
const minFreeMebibytes = 64;
const fewFreeMebibytes = 1024;
const dayMs = 24 * 60 * 60 * 1000;
/** A backup a day, one of which may be late. */
const maxBackupDays = 2;

/** Runs the checks in order, up to a failure without which the others say nothing. */
export async function examine(subject: Subject): Promise<Diagnosis[]> {
  const found: Diagnosis[] = [];
  let depends_on: string | null = null;
  for (const [code, check] of Object.entries<Check>(checks)) {
    const skipped = ["skipped", `This was not checked, because of ${depends_on}.`, null] as const;
    const findings: readonly Finding[] = depends_on === null ? await run(check, subject) : [skipped];
    found.push(...findings.map(([status, what, fix]) => ({ code, status, what, fix, depends_on })));
    if (required.has(code) && findings.some(([status]) => status === "failure")) depends_on = code;
  }
  return found;
}

async function run(check: Check, subject: Subject): Promise<readonly Finding[]> {
  try {
    return await check(subject);
  } catch (error) {
    // A client is not told what the database said. The operator is.
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : "";
    const what = `The check could not be made: ${error instanceof Error ? error.message : error}${cause}.`;
    return [["failure", what, "Correct what it names, and run doctor again."]];
  }
}

/** The settings, without those that only the database can judge. */
function checkSettings({ config, faults }: Subject): readonly Finding[] {
  const found: Finding[] = faults.map((what) => ["failure", what, "Correct the setting, or unset it."]);
  // A default says nothing of the value that would be there instead of one that is not valid.
  const exposure = faults.length > 0 ? undefined : findExposure(config);
  if (exposure !== undefined) found.push(["warning", exposure.what, exposure.remedy]);
  return found.length === 0 ? [["ok", "All settings are valid.", null]] : found;
}

/** How much the disk of a database file has left. Unknown if it is on a server, or if its folder is not found. */
async function checkDiskSpace({ inspect }: Subject): Promise<readonly Finding[]> {
  const space = await inspect()
    .then(async ({ folder }) => folder && { folder, freeBytes: await readFreeBytes(folder) })
    .catch(() => undefined);
  if (!space || space.freeBytes === undefined) return [["skipped", "The disk of the database is not known.", null]];
  const free = Math.floor(space.freeBytes / mebibyte);
  const isFew = free < fewFreeMebibytes;
  const what = `The disk of ${space.folder} has ${isFew ? `${free} MiB` : `${Math.floor(free / 1024)} GiB`} left.`;
  if (!isFew) return [["ok", what, null]];
  const fix = `Free some space, at least 1 GiB. \`df -h ${quoteForShell(space.folder)}\` shows the disk.`;
  return free >= minFreeMebibytes ? [["warning", what, fix]] : [["failure", `${what} Changes will fail soon.`, fix]];
}

/** Whether the database is there, is one of Siteward, answers, has the version of this program, and may be changed. */
async function checkDatabase({ inspect, read }: Subject): Promise<readonly Finding[]> {
  try {
    const { version } = await read();
    const inspection = await inspect();
    const at = `The ${inspection.name} answers. It is at version ${version}`;
    if (version > newestVersion) {
      const what = `${at}, but this program knows versions up to ${newestVersion} only.`;
      throw new InstallationError("newer_version", what);
    }
    await inspection.requireWritable();
    if (version === newestVersion) return [["ok", `${at}, as this program, and this user may change it.`, null]];
    const what = `${at}, and any command but doctor migrates it to version ${newestVersion}. There is no way back.`;
    return [["warning", what, "Stop the servers, back up the database, and run `siteward-server migrate`."]];
  } catch (error) {
    if (error instanceof InstallationError)
      return [toFinding(error, "Check DATABASE_URL (--database-url) and its user.")];
    if (!(error instanceof AppError && error.cause instanceof Error)) throw error;
    const what = `The database cannot be read: ${error.cause.message}.`;
    return [["failure", what, "Check its disk or its server. If the database is damaged, restore a backup."]];
  }
}

/** Whether the clock of this machine agrees with the database, or is not behind the newest time in a file. */
async function checkClock({ read }: Subject): Promise<readonly Finding[]> {
  const { clockAheadMs, rows } = await read();
  const aheadMs = clockAheadMs ?? Math.max(0, (rows?.newestMs ?? 0) - Date.now());
  const size = Math.abs(aheadMs);
  if (size <= slightMs) return [["ok", "The clock agrees with the database.", null]];
  const seconds = `${Math.round(size / 1000)} seconds`;
  const what =
    clockAheadMs === undefined
      ? `The database has a time that is ${seconds} in the future.`
      : `The clock of the database is ${seconds} ${aheadMs > 0 ? "ahead of" : "behind"} this machine's.`;
  const fix = "Set the clocks of the machines, such as with `timedatectl set-ntp true`.";
  return [[size <= wrongMs ? "warning" : "failure", what, fix]];
}

/** Whether the read replicas answer and follow the database. */
async function checkReplicas({ config, inspect }: Subject): Promise<readonly Finding[]> {
  if (config.databaseReplicaUrls.length === 0) return [["skipped", "No read replicas are set.", null]];
  try {
    return (await (await inspect()).readReplicas()).map(({ name, fault, lagBytes }): Finding => {
      if (fault === undefined)
        return ["ok", `The replica ${name} follows the database. It lacked ${lagBytes} bytes of its log.`, null];
      const fix = "Start it, or remove its URL from DATABASE_REPLICA_URLS.";
      return ["warning", `The replica ${name} is not read: ${fault}`, fix];
    });
  } catch (error) {
    if (!(error instanceof InstallationError)) throw error;
    return [toFinding(error, "Correct DATABASE_REPLICA_URLS, or unset it.")];
  }
}

/** How old the last backup is. Siteward does not know of those of other programs. */
async function checkLastBackup({ config, inspect }: Subject): Promise<readonly Finding[]> {
  if ((await inspect()).folder === undefined)
    return [["skipped", "Siteward does not know of the backups of a database on a server.", null]];
  const run = "Run `siteward-server backup siteward-{time}.db --keep 7`, best once a day.";
  const completedAt = await readLastBackup(config.databaseUrl);
  if (completedAt === undefined) return [["warning", "No backup of the database is recorded.", run]];
  const days = Math.floor((Date.now() - completedAt.getTime()) / dayMs);
  const what = `The last backup was complete at ${completedAt.toISOString()}.`;
  return days < maxBackupDays ? [["ok", what, null]] : [["warning", `${what} That is ${days} days ago.`, run]];
}

/** Whether a key that leaks stops working some day. */
async function checkKeys({ read }: Subject): Promise<readonly Finding[]> {
  const { length: count, 0: prefix } = (await read()).rows?.neverExpiring ?? [];
  if (prefix === undefined) return [["ok", "All valid API keys but the first one expire.", null]];
  const what = count === 1 ? `API key ${prefix} never expires.` : `${count} API keys never expire, such as ${prefix}.`;
  const fix = `Run \`siteward-server keys update ${prefix} --expires 90d\`. \`siteward-server keys list\` shows all.`;
  return [["warning", what, fix]];
}

/** @param otherwise what to do if no remedy is known of the error */
function toFinding(error: InstallationError, otherwise: string): Finding {
  return ["failure", error.message.replace(/\.?$/, "."), error.remedy || otherwise];
}
