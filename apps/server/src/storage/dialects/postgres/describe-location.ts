import type { PostgresSettings } from "./postgres-url.ts";

/** Returns the name and the address of a database, for messages. */
export function describeLocation({ database, host, port }: PostgresSettings["client"]): string {
  const name = database ? `PostgreSQL database ${database}` : "default PostgreSQL database";
  return `${name} on ${host || "localhost"}:${port ?? 5432}`;
}
