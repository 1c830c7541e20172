import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from "kysely";
import { InstallationError } from "../../installation-error.ts";
import type { DatabasePlace, StorageDialect } from "../dialect.ts";
import { SqliteDriver } from "./sqlite-driver.ts";
import { isSqliteBusy } from "./sqlite-error.ts";
import { hasSqliteFile, openSqliteFile } from "./sqlite-file.ts";
import { SqliteLogEraser } from "./sqlite-log-eraser.ts";
import { sqliteWebsiteSearch } from "./sqlite-website-search.ts";
import { createWebsiteSearch, leadWebsiteSearchByAccount } from "./sqlite-website-search-versions.ts";

/** SQLite in a file, through Node's own driver. */
export const sqlite: StorageDialect = {
  urlSchemes: ["file:"],
  syntax: {
    createAdapter: () => new QueuedSqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  },
  exists: hasSqliteFile,
  async open({ replicas: [replica], ...place }) {
    if (replica !== undefined) throw replicasUnsupported(replica);
    const { read, write, probe, requireSameFile } = await openSqliteFile(place);
    const reader = new SqliteDriver(read);
    const writer = new SqliteDriver(write);
    const prober = new SqliteDriver(probe);
    const eraser = new SqliteLogEraser(writer);
    // A program that was killed may have left in the log what it had to erase.
    eraser.eraseSoon();
    return {
      read: toKyselyDialect(reader),
      write: toKyselyDialect(writer),
      single: reader,
      probe: {
        read: toKyselyDialect(prober),
        single: prober,
        async refresh() {
          await requireSameFile();
          await prober.forgetPages();
        },
      },
      websiteSearch: sqliteWebsiteSearch,
      replication: { replicas: [], primaryPosition: () => Promise.reject(replicasUnsupported(replica)) },
      eraseSoon: () => eraser.eraseSoon(),
      async close() {
        // Reads of this process would block the eraser.
        await prober.destroy();
        await reader.destroy();
        await eraser.close();
        await writer.destroy();
      },
    };
  },
  isRetryable: isSqliteBusy,
  // A transaction that writes is the only writer from its start.
  async lockMigrations() {},
  async lockTables() {},
  async hasTable(connection, table) {
    const found = await connection.read(sql`select 1 from sqlite_master where type = 'table' and name = ${table}`);
    return found.length > 0;
  },
  forUpdate: sql``,
  definitions: {
    integer: sql`integer`,
    bytes: sql`blob`,
    text: sql`text`,
    tableEnd: sql`strict`,
    clusteredTableEnd: sql`strict, without rowid`,
    createWebsiteSearch,
    leadWebsiteSearchByAccount,
  },
};

function replicasUnsupported(replica: DatabasePlace | undefined): InstallationError {
  return new InstallationError(
    "invalid_url",
    `${replica?.setting ?? "A replica"} needs a PostgreSQL database, but the database is a file.`,
  );
}

function toKyselyDialect(driver: SqliteDriver): Dialect {
  return { ...sqlite.syntax, createDriver: () => driver };
}

/** The driver lends its connection itself; see `ConnectionQueue`. */
class QueuedSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}
