/** Earlier versions can corrupt a database that two connections write to: https://sqlite.org/wal.html#walresetbug */
const minVersion = "3.51.3";

/**
 * Refuses versions of SQLite that can corrupt the database.
 *
 * @param version such as `3.53.4`
 * @throws Error that says which versions are safe
 */
export function requireSafeSqlite(version: string): void {
  if (version.localeCompare(minVersion, "en", { numeric: true }) >= 0) return;
  throw new Error(
    `This Node.js contains SQLite ${version}, which can damage a database. ` +
      `Use a Node.js with SQLite ${minVersion} or later.`,
  );
}
