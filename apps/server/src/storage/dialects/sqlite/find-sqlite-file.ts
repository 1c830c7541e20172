import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { DatabaseLocation } from "../dialect.ts";
import { readSqliteUrl } from "./sqlite-url.ts";

/**
 * Returns the path of a database file in full, whether the file exists or not. SQLite follows symbolic links and writes its other files
 * next to the file itself, so the path has none.
 */
export async function findSqliteFile(location: DatabaseLocation): Promise<string> {
  const path = resolve(readSqliteUrl(location));
  const file = await realpath(path).catch(() => undefined);
  if (file !== undefined) return file;
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  return join(folder, basename(path));
}
