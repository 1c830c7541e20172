import type { DatabaseSync } from "node:sqlite";

/** Begins a transaction that writes the first page of the database and changes nothing. */
export function writeFirstPage(database: DatabaseSync): void {
  database.exec("begin immediate");
  writeVersion(database);
}

/** Sets the version to its current value, which writes the first page, although it stays the same. */
export function writeVersion(database: DatabaseSync): void {
  const version = database.prepare("pragma user_version").get()?.["user_version"];
  database.exec(`pragma user_version = ${Number(version)}`);
}
