import type { Websites } from "./websites.ts";

/** Opens the database of a URL. Loads only the driver that it needs. */
export async function openWebsites(databaseUrl: string): Promise<Websites> {
  if (databaseUrl.startsWith("postgres:")) {
    return (await import("./postgres-websites.ts")).openPostgresWebsites(databaseUrl);
  }
  return (await import("./sqlite-websites.ts")).openSqliteWebsites(databaseUrl.slice("file:".length));
}
