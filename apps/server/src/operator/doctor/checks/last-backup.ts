import { readLastBackup } from "../../../storage/moving/last-backup.ts";
import type { Check } from "../check.ts";
import { type Finding, ok, skipped, warning } from "../finding.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** A backup a day, one of which may be late. */
export const maxAgeDays = 2;
const run = "Run `siteward-server backup siteward-{time}.db --keep 7`, best once a day.";

/** How old the last backup is. Siteward does not know of backups that other programs make, such as those of PostgreSQL. */
export const lastBackup: Check = {
  settings: ["DATABASE_URL"],
  dependsOn: ["database"],
  async run(patient) {
    const inspection = await patient.inspection();
    if (!inspection.isFile) return [skipped("Siteward does not know of the backups of a database on a server.")];
    return [judgeBackup(await readLastBackup(patient.config.databaseUrl), patient.now())];
  },
};

export function judgeBackup(completedAt: Date | undefined, nowMs: number): Finding {
  if (completedAt === undefined) return warning("No backup of the database is recorded.", run);
  const ageDays = Math.floor((nowMs - completedAt.getTime()) / dayMs);
  const what = `The last backup was complete at ${completedAt.toISOString()}.`;
  return ageDays < maxAgeDays ? ok(what) : warning(`${what} That is ${ageDays} days ago.`, run);
}
