import { type ReadConnection, toReadConnection } from "../engine/connection.ts";
import { readVersion } from "../engine/migrate.ts";
import { listNames, sql } from "../engine/statement.ts";
import type { DatabaseFile } from "./place-file.ts";

export interface CopyFacts {
  readonly version: number;
  readonly accounts: number;
  readonly websites: number;
  /** The time of the newest entry of the audit trail. Null if there is none. */
  readonly newest_change: string | null;
  /** Null if Siteward has not made the copy. */
  readonly made_at: string | null;
}

/**
 * Checks that a copy is whole, and reads what is in it.
 *
 * @param damaged returns the error for a copy that is not, with what is wrong, without a period
 * @throws InstallationError if it is no database of Siteward
 */
export async function readCopy(
  { files, engine }: Pick<DatabaseFile, "files" | "engine">,
  path: string,
  damaged: (faults: string) => Error,
): Promise<CopyFacts> {
  const faults = files.findDamage(path);
  if (faults.length > 0) throw damaged(faults.join("; "));
  using copy = await files.open(path);
  const reader = toReadConnection(copy.connection, engine);
  return {
    version: await readVersion(reader),
    accounts: await count(reader, "accounts"),
    websites: await count(reader, "websites"),
    newest_change: await readNewestChange(reader),
    made_at: copy.madeAt?.toISOString() ?? null,
  };
}

async function count({ read }: ReadConnection, table: "accounts" | "websites"): Promise<number> {
  const [row] = await read<{ rows: number }>(sql`select count(*) as rows from ${listNames([table])}`);
  return row?.rows ?? 0;
}

/** One search of the index for each account, because the trail begins with the account. */
async function readNewestChange({ read }: ReadConnection): Promise<string | null> {
  const newest = await read<{ at: number | null }>(
    sql`select (select max(at) from audit_entries where account_id = accounts.id) as at from accounts`,
  );
  const times = newest.flatMap(({ at }) => at ?? []);
  return times.length === 0 ? null : new Date(times.reduce((a, b) => Math.max(a, b))).toISOString();
}
