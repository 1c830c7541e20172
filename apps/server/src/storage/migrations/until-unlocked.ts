import { setTimeout } from "node:timers/promises";
import type { Database } from "../database/database.ts";
import { InstallationError } from "../interface/installation-error.ts";

/** How long a migration is tried while others use its tables, and the pause in which requests that waited behind it are answered. */
export interface LockWaits {
  readonly maxWaitMs: number;
  readonly pauseMs: number;
}

const defaultWaits: LockWaits = { maxWaitMs: 60_000, pauseMs: 2_000 };

/**
 * Runs a migration, and runs it again while others use its tables, such as a backup. It waits for each lock only briefly, because
 * every request for the table waits behind it: next to `pg_dump` for 9 seconds, 13 requests got a 503.
 *
 * @throws InstallationError `tables_in_use` that says who uses them
 */
export async function untilUnlocked<Result>(
  { dialect, primary }: Database,
  migrate: () => Promise<Result>,
  { maxWaitMs, pauseMs }: LockWaits = defaultWaits,
): Promise<Result> {
  const startMs = performance.now();
  for (;;) {
    try {
      return await migrate();
    } catch (error) {
      if (!dialect.isLockTimeout(error)) throw error;
      if (performance.now() - startMs > maxWaitMs) {
        throw tablesInUse(maxWaitMs, await dialect.findLockHolder(primary), error);
      }
    }
    await setTimeout(pauseMs);
  }
}

function tablesInUse(maxWaitMs: number, holder: string | undefined, cause: unknown): InstallationError {
  const waited = `The database could not be migrated for ${Math.round(maxWaitMs / 1_000)} seconds`;
  const reason = holder ?? "another transaction used its tables";
  return new InstallationError("tables_in_use", `${waited}: ${reason}.`, cause);
}
