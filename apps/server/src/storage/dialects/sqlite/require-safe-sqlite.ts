/** Older ones can damage a database that two connections write: https://sqlite.org/wal.html#walresetbug */
const minVersion = "3.51.3";

/**
 * Refuses a SQLite that can damage what it keeps.
 *
 * @param version such as `3.53.4`
 * @throws Error that says which versions are safe
 */
export function requireSafeSqlite(version: string): void {
  if (version.localeCompare(minVersion, "en", { numeric: true }) >= 0) return;
  throw new Error(
    `this Node.js holds SQLite ${version}, which can damage a database; use one with ${minVersion} or later`,
  );
}
