import type { Database } from "@siteward/testing/engines/database";

/** A website as the engine stores it. */
export interface StoredWebsite {
  readonly accountId: number;
  readonly id: number;
  readonly domain: string;
  /** The only entry of `exclude_params`, which identifies the write. */
  readonly mark: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** Reads all websites of all accounts directly from the engine. */
export async function readStoredWebsites(database: Pick<Database, "query">): Promise<StoredWebsite[]> {
  const rows = await database.query("select account_id, id, domain, exclude_params, created_at from websites");
  return rows.map((row) => ({
    accountId: Number(row["account_id"]),
    id: Number(row["id"]),
    domain: String(row["domain"]),
    mark: String(JSON.parse(String(row["exclude_params"]))[0]),
    createdAt: Number(row["created_at"]),
  }));
}
