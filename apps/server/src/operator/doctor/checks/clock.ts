import type { DatabaseContents } from "../../../storage/interface/inspection.ts";
import type { Check } from "../check.ts";
import { type Finding, failure, ok, warning } from "../finding.ts";

export const slightMs = 2_000;
/** Rate limits, the days of limits and the retention of the audit trail are then wrong. */
export const wrongMs = 60_000;

/** Whether the clock of this machine agrees with the database. */
export const clock: Check = {
  dependsOn: ["database_version"],
  async run(patient) {
    return [judgeClock(await patient.contents(), patient.now())];
  },
};

export function judgeClock({ clock: read, rows }: Pick<DatabaseContents, "clock" | "rows">, nowMs: number): Finding {
  if (read !== undefined) {
    const { databaseMs, beforeMs, afterMs } = read;
    // The database looked at its clock some time between the two.
    const aheadMs = databaseMs > afterMs ? databaseMs - afterMs : databaseMs < beforeMs ? databaseMs - beforeMs : 0;
    const direction = aheadMs > 0 ? "ahead of" : "behind";
    return judgeDifference(aheadMs, `The clock of the database is ${seconds(aheadMs)} ${direction} this machine's.`);
  }
  const futureMs = Math.max(0, (rows?.newestMs ?? nowMs) - nowMs);
  return judgeDifference(futureMs, `The database has a time that is ${seconds(futureMs)} in the future.`);
}

function judgeDifference(differenceMs: number, what: string): Finding {
  const size = Math.abs(differenceMs);
  if (size <= slightMs) return ok("The clock agrees with the database.");
  const fix = "Set the clocks of the machines, such as with `timedatectl set-ntp true`.";
  return size <= wrongMs ? warning(what, fix) : failure(what, fix);
}

function seconds(ms: number): string {
  return `${Math.round(Math.abs(ms) / 1000)} seconds`;
}
