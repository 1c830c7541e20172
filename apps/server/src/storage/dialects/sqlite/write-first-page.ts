import type { DatabaseSync } from "node:sqlite";

/**
 * Begins a transaction that writes the first page of the database and changes nothing: setting the version to its current value
 * writes the page, although it stays the same.
 */
export function writeFirstPage(database: DatabaseSync): void {
  database.exec("begin immediate");
  const version = database.prepare("pragma user_version").get()?.["user_version"];
  database.exec(`pragma user_version = ${Number(version)}`);
}
