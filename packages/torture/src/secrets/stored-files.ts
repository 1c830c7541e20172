import { glob, readFile, stat } from "node:fs/promises";
import type { Database } from "../engines/database.ts";
import type { EngineName } from "../engines/engine-name.ts";

/** Reads the files in which an engine stores a database, one at a time. */
export async function* readStoredFiles(database: Database): AsyncGenerator<{ path: string; bytes: Buffer }> {
  for await (const path of glob(await patterns[database.engine](database))) {
    const isFile = await stat(path).then(
      (found) => found.isFile(),
      () => false,
    );
    // A file can disappear while the others are read.
    const bytes = isFile ? await readFile(path).catch(() => undefined) : undefined;
    if (bytes !== undefined) yield { path, bytes };
  }
}

const patterns = {
  sqlite: async ({ file }) => [`${file}*`],
  postgres: async (database) => {
    await database.query("checkpoint");
    const [place] = await database.query(
      "select current_setting('data_directory') as folder, oid from pg_database where datname = current_database()",
    );
    return [`${place?.["folder"]}/base/${place?.["oid"]}/*`, `${place?.["folder"]}/pg_wal/*`];
  },
} as const satisfies Record<EngineName, (database: Database) => Promise<string[]>>;
