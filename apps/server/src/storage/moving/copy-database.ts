import { AppError, isRefusedFor } from "@siteward/service";
import { insertRows } from "../engine/change.ts";
import type { DatabaseLocation, Engine, ReadConnection } from "../engine/database.ts";
import { migrateWithin, missingAfter, readVersion } from "../engine/migrate.ts";
import { migrations, newestVersion } from "../engine/schema.ts";
import { sql } from "../engine/statement.ts";
import type { IndexedWebsite } from "../engine/website-search-index.ts";
import { InstallationError, reasonOf } from "../interface/installation-error.ts";
import type { Table } from "../tables/table.ts";
import { websites } from "../tables/websites.ts";
import { type CopyDestination, type CopySource, fillDestination, nothingToCopy, readUnused } from "./copy-ends.ts";
import { type CopyResult, copiedTables, readRows, type TableDigest, verifyTable } from "./rows.ts";

/**
 * Copies all data to another database, on any engine. The destination has everything or nothing: a file gets its name
 * when it is complete, and a server stores one transaction.
 *
 * @param ends the database to read, which nobody else can use during the copy, and an empty one or a file that does not exist
 * @throws InstallationError that says what is wrong with one of the databases, or why the copy failed
 */
export async function copyDatabase({ from, to }: Record<"from" | "to", DatabaseLocation>): Promise<CopyResult> {
  try {
    return await readUnused(from, async (source) => {
      await requireCopyable(source.connection, source.engine);
      return await fillDestination(to, (destination) => copy(source, destination));
    });
  } catch (error) {
    throw explain(error);
  }
}

async function copy(
  { connection: source, requireUnused }: CopySource,
  destination: CopyDestination,
): Promise<CopyResult> {
  await migrateWithin(destination.transaction, destination, migrations);
  if (await hasAccounts(destination.transaction))
    throw new InstallationError("destination_in_use", "The destination contains accounts.");
  for (const table of copiedTables) await copyTable(table, source, destination);
  const ends = { source, destination: destination.transaction };
  const digests: [string, TableDigest][] = [];
  // The source is locked, so nobody has written to it since.
  for (const table of copiedTables) digests.push([table.name, await verifyTable(table, ends)]);
  await requireUnused?.();
  return Object.fromEntries(digests);
}

/** Checks that the database can be the source of a copy. @throws InstallationError that says why it cannot */
async function requireCopyable(connection: ReadConnection, engine: Engine): Promise<void> {
  const isOurs = (await engine.findTables(connection)).has("schema_migrations");
  const version = isOurs ? await readVersion(connection) : 0;
  if (version === 0) throw nothingToCopy("The source contains no Siteward data");
  if (missingAfter(version, migrations).length > 0) {
    const message = `The source is at version ${version}, and this program at version ${newestVersion}.`;
    throw new InstallationError("source_outdated", message);
  }
  if (!(await hasAccounts(connection))) throw nothingToCopy("The source contains no account");
}

async function hasAccounts({ read }: ReadConnection): Promise<boolean> {
  return (await read(sql`select id from accounts limit 1`)).length > 0;
}

async function copyTable(
  table: Table,
  source: ReadConnection,
  { transaction, websiteSearch }: CopyDestination,
): Promise<void> {
  for (let rows = await readRows(source, table); rows.length > 0; rows = await readRows(source, table, rows.at(-1))) {
    await insertRows(transaction, table, rows);
    // The cast is safe: the rows have all columns of the table.
    if (table === websites) await websiteSearch.load(transaction, rows as readonly IndexedWebsite[]);
  }
}

/** A database that cannot answer ends the copy, and so does a system that refuses a file. */
function explain(error: unknown): unknown {
  const isOfSystem = error instanceof Error && "syscall" in error;
  if (!isOfSystem && !(error instanceof AppError)) return error;
  const reason = reasonOf(error).replace(/\.$/, "");
  if (!isRefusedFor(error, "outcome_unknown"))
    return new InstallationError("copy_failed", `The copy failed: ${reason}.`, error);
  const message = `The copy was complete, but it is not known whether the destination has stored it: ${reason}.`;
  return new InstallationError("copy_unknown", message, error);
}
