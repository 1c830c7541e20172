import { chooseEngine } from "./engine/choose-engine.ts";
import { type DatabaseLocation, type ReadConnection, toReadConnection } from "./engine/connection.ts";
import { readVersion } from "./engine/migrate.ts";
import { newestVersion } from "./engine/schema.ts";
import { listNames, sql } from "./engine/statement.ts";
import type { DatabaseInspection, KnownRows } from "./interface/inspection.ts";

/**
 * Prepares to look at a database without changing, creating or migrating it. Opens nothing yet.
 *
 * @throws InstallationError `invalid_url`
 */
export async function inspectDatabase(
  database: DatabaseLocation,
  replicas: readonly DatabaseLocation[],
): Promise<DatabaseInspection> {
  const engine = await chooseEngine(database);
  const inspection = await engine.inspect(database, replicas);
  return {
    ...inspection,
    read: () =>
      inspection.read(async (connection) => {
        const beforeMs = Date.now();
        const databaseMs = await inspection.readClock(connection);
        // The database looked at its clock some time between the two.
        const clockAheadMs =
          databaseMs === undefined ? undefined : databaseMs - Math.min(Math.max(databaseMs, beforeMs), Date.now());
        const reader = toReadConnection(connection, engine);
        const version = await readVersion(reader);
        const isKnown = version > 0 && version <= newestVersion;
        return { version, clockAheadMs, rows: isKnown ? await readKnownRows(reader) : undefined };
      }),
  };
}

/** How many rows of a table are read, the newest. Most installations have fewer accounts and keys. */
const maxRows = 10_000;
/** Nothing else here reads these. A damaged file can have sound accounts and answer no request. */
const otherTables = ["websites", "audit_entries", "idempotency_keys"];

async function readKnownRows(reader: ReadConnection): Promise<KnownRows> {
  for (const table of otherTables) await reader.read(sql`select * from ${listNames([table])} limit 1`);
  return { newestMs: await readNewest(reader), neverExpiring: await findNeverExpiring(reader) };
}

/** The columns whose newest times are that of the newest changes, and of the newest request with a key. */
const times = {
  accounts: ["last_website_created_at", "updated_at", "created_at"],
  api_keys: ["created_at", "last_used_at", "revoked_at"],
} as const;

async function readNewest({ read }: ReadConnection): Promise<number | undefined> {
  const found: (number | null)[] = [];
  for (const [table, columns] of Object.entries(times)) {
    const newest = listNames(columns, (column) => sql`max(${column}) as ${column}`);
    const [row] = await read<Readonly<Record<string, number | null>>>(
      sql`select ${newest} from (select * from ${listNames([table])} order by id desc limit ${maxRows}) as newest`,
    );
    found.push(...Object.values(row ?? {}));
  }
  const newestMs = Math.max(...found.map(Number));
  return newestMs > 0 ? newestMs : undefined;
}

async function findNeverExpiring({ read }: ReadConnection): Promise<readonly string[]> {
  const found = await read<{ prefix: string }>(
    sql`select prefix from (select * from api_keys order by id desc limit ${maxRows}) as newest
    where revoked_at is null and expires_at is null and name <> 'first key' order by id`,
  );
  return found.map(({ prefix }) => prefix);
}
