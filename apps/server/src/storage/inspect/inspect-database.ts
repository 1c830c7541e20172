import { chooseDialect } from "../database/choose-dialect.ts";
import { createReader, type Reader, withReader } from "../database/connections.ts";
import { createQueryBuilder } from "../database/query-builder.ts";
import { missingBytes } from "../database/replica-router.ts";
import type { DatabaseLocation, DialectInspection, ReadDriver } from "../dialects/dialect.ts";
import type { DatabaseContents, DatabaseInspection, ReplicaState } from "../interface/inspection.ts";
import { newestVersion } from "../migrations/migrations.ts";
import { readVersion } from "../migrations/schema-version.ts";
import { readKnownRows } from "./read-known-rows.ts";

export interface InspectionOptions {
  readonly database: DatabaseLocation;
  readonly replicas: readonly DatabaseLocation[];
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
  /** How old a key is before it counts as one that was never used. */
  readonly minUnusedMs: number;
}

/**
 * Prepares to look at a database without changing, creating or migrating it. Opens nothing yet.
 *
 * @throws InstallationError `invalid_url`
 */
export async function inspectDatabase(options: InspectionOptions): Promise<DatabaseInspection> {
  const dialect = await chooseDialect(options.database);
  const inspection = await dialect.inspect(options.database);
  const tools = { build: createQueryBuilder(dialect), log: undefined };
  const toReader = (driver: ReadDriver) => createReader(driver, tools);
  return {
    ...inspection,
    read: () =>
      inspection.read(async (driver) => {
        const clock = await readClock(inspection, driver, options.now);
        return { ...(await readContents(toReader(driver), options)), clock };
      }),
    readReplicas: () =>
      inspection.openReplicas(options.replicas).then((replicas) =>
        Promise.all(
          replicas.map(({ name, read, position }) =>
            inspection
              .read(async (primary): Promise<ReplicaState> => {
                const needed = await inspection.primaryPosition(primary);
                const reached = await withReader(read, tools, position);
                return { name, fault: undefined, lagBytes: missingBytes(reached, needed) };
              })
              .catch((error: unknown) => ({ name, fault: describeFault(error), lagBytes: 0 })),
          ),
        ),
      ),
  };
}

async function readContents(
  reader: Reader,
  { now, minUnusedMs }: InspectionOptions,
): Promise<Omit<DatabaseContents, "clock">> {
  const version = await readVersion(reader);
  const isKnown = version > 0 && version <= newestVersion;
  const rows = isKnown ? await readKnownRows(reader, { nowMs: now(), minUnusedMs }) : undefined;
  return { version, newestVersion, rows };
}

async function readClock(
  inspection: DialectInspection,
  driver: ReadDriver,
  now: () => number,
): Promise<DatabaseContents["clock"]> {
  const beforeMs = now();
  const databaseMs = await inspection.readClock(driver);
  return databaseMs === undefined ? undefined : { databaseMs, beforeMs, afterMs: now() };
}

function describeFault(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
