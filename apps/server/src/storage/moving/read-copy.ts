import { toReadConnection } from "../engine/connection.ts";
import { readVersion } from "../engine/migrate.ts";
import { sql } from "../engine/statement.ts";
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
  const version = await readVersion(reader);
  // The cast is safe: the query returns one row.
  const [{ newest, ...counts }] = (await reader.read(selectFacts)) as [Facts];
  const newest_change = newest === null ? null : new Date(newest).toISOString();
  return { version, ...counts, newest_change, made_at: copy.madeAt?.toISOString() ?? null };
}

interface Facts extends Pick<CopyFacts, "accounts" | "websites"> {
  readonly newest: number | null;
}

/** The newest entry takes one search of the index for each account, because the trail begins with the account. */
const selectFacts = sql`select (select count(*) from accounts) as accounts, (select count(*) from websites) as websites,
  (select max((select max(at) from audit_entries where account_id = accounts.id)) from accounts) as newest`;
